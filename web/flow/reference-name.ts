import type { Step } from "../../contract/graph.ts";
import { freeStepId } from "./draft.ts";

const MAX_LENGTH = 60;

/** "Über €100?" → "uber-100": the words of a title as they can stand in a placeholder. */
export function nameFromTitle(title: string): string {
  return title
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .slice(0, MAX_LENGTH)
    .replaceAll(/^-+|-+$/g, "");
}

/** True while no person has edited the name: it is the one that the title gives, possibly numbered. */
export function followsTitle(stepId: string, title: string): boolean {
  const name = nameFromTitle(title);
  return (
    name !== "" &&
    (stepId === name || (stepId.startsWith(`${name}-`) && /^\d+$/.test(stepId.slice(name.length + 1))))
  );
}

/** The name of a step whose title changed; undefined when it keeps its own. */
export function nameAfterTitle(
  steps: readonly Step[],
  stepId: string,
  title: { before: string; after: string },
): string | undefined {
  const wanted = nameFromTitle(title.after);
  if (wanted === "" || followsTitle(stepId, title.after) || !followsTitle(stepId, title.before))
    return undefined;
  return freeStepId(
    steps.filter((step) => step.stepId !== stepId),
    wanted,
  );
}
