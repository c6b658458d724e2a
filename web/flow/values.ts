import type { Graph } from "../../contract/graph.ts";

/** One value that a placeholder can bring, with what it was in the last run. */
export interface PickableValue {
  placeholder: string;
  sample: unknown;
  hasSample: boolean;
}

const MAX_PATHS = 60;
const MAX_DEPTH = 4;
const PLAIN = /^[\p{L}\p{M}\p{N}_$-]+$/u;

/** The step's ancestors, nearest first; without edges, everything listed before it. */
export function stepsBefore(graph: Graph, stepId: string): string[] {
  if (graph.edges.length === 0) {
    const at = graph.steps.findIndex((step) => step.stepId === stepId);
    return graph.steps
      .slice(0, Math.max(at, 0))
      .map((step) => step.stepId)
      .toReversed();
  }
  const found = new Set<string>();
  let layer = [stepId];
  while (layer.length > 0) {
    const next = graph.edges
      .filter((edge) => layer.includes(edge.target) && !found.has(edge.source))
      .map((edge) => edge.source);
    for (const id of next) found.add(id);
    layer = [...new Set(next)];
  }
  found.delete(stepId);
  return [...found];
}

/** The step and all that come after it. */
export function stepsFrom(graph: Graph, stepId: string): string[] {
  if (graph.edges.length === 0) {
    const ids = graph.steps.map((step) => step.stepId);
    return ids.slice(ids.indexOf(stepId));
  }
  const found = new Set([stepId]);
  for (const id of found) for (const { source, target } of graph.edges) if (source === id) found.add(target);
  return [...found];
}

export interface LastRun {
  input: unknown;
  outputs: ReadonlyMap<string, unknown>;
}

export function pickableValues(
  graph: Graph,
  stepId: string,
  lastRun: LastRun | undefined,
  variables: readonly { name: string; secret: boolean; value?: unknown }[],
): PickableValue[] {
  const values: PickableValue[] = [];
  for (const id of stepsBefore(graph, stepId)) {
    const path = `steps${segment(id)}.output`;
    if (lastRun?.outputs.has(id) === true) values.push(...pathsOf(path, lastRun.outputs.get(id)));
    else values.push({ placeholder: path, sample: undefined, hasSample: false });
  }
  if (lastRun === undefined) values.push({ placeholder: "input", sample: undefined, hasSample: false });
  else values.push(...pathsOf("input", lastRun.input));
  for (const { name, secret, value } of variables)
    values.push({
      placeholder: `${secret ? "secrets" : "vars"}.${name}`,
      sample: secret ? "•••" : value,
      hasSample: true,
    });
  for (const name of ["now", "task.id", "workflow.id", "workflow.name"])
    values.push({ placeholder: name, sample: undefined, hasSample: false });
  return values;
}

/** What the steps inside a loop can use beside everything around it: the item, its number, and those before them. */
export function loopValues(inner: Graph, stepId: string, item: unknown): PickableValue[] {
  const unknown = (placeholder: string): PickableValue => ({
    placeholder,
    sample: undefined,
    hasSample: false,
  });
  return [
    ...(item === undefined ? [unknown("item")] : pathsOf("item", item)),
    unknown("index"),
    ...stepsBefore(inner, stepId).map((id) => unknown(`steps${segment(id)}.output`)),
  ];
}

/** The value itself and what is inside it, outermost first, so that a large output stays a short list. */
export function pathsOf(root: string, value: unknown): PickableValue[] {
  const found: PickableValue[] = [];
  let layer: { path: string; value: unknown }[] = [{ path: root, value }];
  for (let depth = 0; depth <= MAX_DEPTH && layer.length > 0; depth += 1) {
    const inner: { path: string; value: unknown }[] = [];
    for (const entry of layer) {
      if (found.length >= MAX_PATHS) return found;
      found.push({ placeholder: entry.path, sample: entry.value, hasSample: true });
      if (typeof entry.value !== "object" || entry.value === null) continue;
      // Of a list the first item stands for all: they are usually alike.
      const keys = Array.isArray(entry.value)
        ? Object.keys(entry.value).slice(0, 1)
        : Object.keys(entry.value);
      for (const key of keys) {
        const at = Array.isArray(entry.value) ? `[${key}]` : segment(key);
        inner.push({ path: `${entry.path}${at}`, value: (entry.value as Record<string, unknown>)[key] });
      }
    }
    layer = inner;
  }
  return found;
}

function segment(name: string): string {
  return PLAIN.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** The same path as an expression writes it: without braces, and odd names in backticks. */
export function asExpression(placeholder: string): string {
  return placeholder
    .replaceAll(/\["((?:[^"\\]|\\.)*)"\]/g, (_whole, name: string) => `.\`${name}\``)
    .split(/\.(?![^`]*`(?:[^`]*`[^`]*`)*[^`]*$)/)
    .map((part) => (/^`|^[\p{L}_$][\p{L}\p{N}_$]*(\[\d+\])*$/u.test(part) ? part : `\`${part}\``))
    .join(".");
}
