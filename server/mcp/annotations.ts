import { findStepType, traitsOf } from "../../contract/steps/catalogue.ts";
import type { Graph } from "../../contract/graph.ts";

/** What a client may assume about a tool before it asks its user. */
export interface ToolAnnotations {
  title: string;
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** What one step may do. */
interface Effect {
  changes: boolean;
  destroys: boolean;
  /** A second run with the same input changes nothing more. */
  repeatable: boolean;
  /** It reaches systems outside of this service. */
  open: boolean;
}

type Step = Readonly<Record<string, unknown>>;

const NO_EFFECT: Effect = { changes: false, destroys: false, repeatable: true, open: false };
const READS_OUTSIDE: Effect = { ...NO_EFFECT, open: true };
/** For a step whose effect depends on something that is not in the graph. */
const UNKNOWN_EFFECT: Effect = { changes: true, destroys: true, repeatable: false, open: true };

const OF_FILE_ACTION: Readonly<Record<string, Effect>> = {
  read: NO_EFFECT,
  list: NO_EFFECT,
  append: { ...NO_EFFECT, changes: true, repeatable: false },
  write: { ...NO_EFFECT, changes: true, destroys: true },
  delete: { ...NO_EFFECT, changes: true, destroys: true },
};
const OF_STORE_ACTION: Readonly<Record<string, Effect>> = {
  get: NO_EFFECT,
  list: NO_EFFECT,
  increment: { ...NO_EFFECT, changes: true, repeatable: false },
  compare_and_set: { ...NO_EFFECT, changes: true, destroys: true, repeatable: false },
  set: { ...NO_EFFECT, changes: true, destroys: true },
  delete: { ...NO_EFFECT, changes: true, destroys: true },
};
const OF_HTTP_METHOD: Readonly<Record<string, Effect>> = {
  GET: READS_OUTSIDE,
  HEAD: READS_OUTSIDE,
  OPTIONS: READS_OUTSIDE,
  PUT: { changes: true, destroys: true, repeatable: true, open: true },
  DELETE: { changes: true, destroys: true, repeatable: true, open: true },
};

const OF_TYPE: Readonly<Record<string, (step: Step) => readonly Effect[]>> = {
  condition: () => [],
  switch: () => [],
  transform: () => [],
  data: () => [],
  store: ({ action }) => [OF_STORE_ACTION[String(action)] ?? UNKNOWN_EFFECT],
  delay: () => [],
  approval: () => [],
  document_query: () => [],
  llm: () => [READS_OUTSIDE],
  email: () => [{ changes: true, destroys: false, repeatable: false, open: true }],
  file: ({ action }) => [OF_FILE_ACTION[String(action)] ?? UNKNOWN_EFFECT],
  http: ({ method = "GET" }) => [OF_HTTP_METHOD[String(method).toUpperCase()] ?? UNKNOWN_EFFECT],
  foreach: ({ steps }) => (Array.isArray(steps) ? effectsOf(steps as Step[]) : [UNKNOWN_EFFECT]),
};

function effectsOf(steps: readonly Step[]): Effect[] {
  return steps.flatMap((step) => {
    const type = findStepType(step["type"])?.type ?? "";
    return OF_TYPE[type]?.(step) ?? [UNKNOWN_EFFECT];
  });
}

/** Without a graph, as for an agent or a team, anything is possible. */
export function annotationsOf(title: string, graph: Graph | undefined): ToolAnnotations {
  const effects = graph === undefined ? [UNKNOWN_EFFECT] : effectsOf(graph.steps as readonly Step[]);
  return {
    title,
    readOnlyHint: !effects.some(({ changes }) => changes),
    destructiveHint: effects.some(({ destroys }) => destroys),
    idempotentHint: effects.every(({ repeatable }) => repeatable),
    openWorldHint: effects.some(({ open }) => open),
  };
}

/** They wait for another service, often for a minute. */
const SLOW_TYPES: ReadonlySet<unknown> = new Set(["llm", "mcp"]);

/** True when a run may take longer than a client waits: it waits, asks a model or starts other runs. */
export function maybeSlow(graph: Graph | undefined): boolean {
  if (graph === undefined) return true;
  return graph.steps.some(({ type }) => {
    const { control = false, startsTasks = false } = traitsOf(type);
    return control || startsTasks || SLOW_TYPES.has(type);
  });
}

export function hasApproval(steps: readonly Step[]): boolean {
  return steps.some(
    (step) =>
      findStepType(step["type"])?.type === "approval" ||
      (Array.isArray(step["steps"]) && hasApproval(step["steps"] as Step[])),
  );
}
