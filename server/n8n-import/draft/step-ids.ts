import { uniqueSlug } from "../../workflows/generation/slug.ts";
import type { Plan } from "../plan/plan.ts";

/** Names that objects have by themselves: as ids, they would find those. */
const RESERVED = ["constructor", "prototype"];

export interface StepIds {
  /** Of a node, or of a loop that the import adds. */
  idOf: (name: string) => string;
  /** The node of a step. */
  nameOf: (stepId: string) => string | undefined;
}

export function createStepIds({ order, loops }: Plan): StepIds {
  const used = new Set(RESERVED);
  const ids = new Map(order.map((name) => [name, uniqueSlug(name, used)]));
  const names = new Map([...ids].map(([name, id]) => [id, name]));
  for (const [loop, { node, over }] of loops)
    if (node === undefined) ids.set(loop, uniqueSlug(`each ${over.replace(/^each:/, "")}`, used));
  return { idOf: (name) => ids.get(name) ?? "step", nameOf: (stepId) => names.get(stepId) };
}
