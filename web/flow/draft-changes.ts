import type { Edge, Step } from "../../contract/graph.ts";
import { compareGraphs, deepEqual, type FieldChange, type NamedGraph } from "./compare-graphs.ts";
import { formatValue } from "./form-fields.ts";
import { stepTitle } from "../../contract/graph/step-titles.ts";

export type ChangeKind = "added" | "changed" | "removed";

/** One line of what publishing changes. */
export interface DraftChange {
  kind: ChangeKind;
  title: string;
  /** "disabled", "Body and Headers", or empty when the kind says it all. */
  detail: string;
  /** Set for one short value that changed. */
  values?: { before: string; after: string };
  stepId?: string;
}

/** Longer values are not shown side by side. */
const MAX_VALUE_LENGTH = 40;
const MAX_NAMED_FIELDS = 3;

/** What differs between two graphs, in words and with the titles of steps. Positions do not count. */
export function draftChanges(before: NamedGraph, after: NamedGraph): DraftChange[] {
  const { workflowFields, steps, addedEdges, removedEdges } = compareGraphs(before, after);
  const titles = titlesOf(before, after);
  const changes: DraftChange[] = workflowFields.map((field) => ({
    kind: "changed",
    title: field.name === "name" ? "Name" : "Description",
    ...describeFields([field]),
  }));
  for (const { stepId, kind, fields } of steps) {
    const title = titles.get(stepId) ?? stepId;
    if (kind === "changed") changes.push({ kind, title, stepId, ...describeFields(fields) });
    else changes.push({ kind, title, stepId, detail: "" });
  }
  const whole = new Set(steps.filter(({ kind }) => kind !== "changed").map(({ stepId }) => stepId));
  // The connections of an added or removed step come and go with it.
  const isOwn = (edge: Edge): boolean => !whole.has(edge.source) && !whole.has(edge.target);
  const edgeLines = (edges: readonly Edge[], kind: ChangeKind): DraftChange[] =>
    edges.filter(isOwn).map(({ source, target }) => ({
      kind,
      title: `${titles.get(source) ?? source} → ${titles.get(target) ?? target}`,
      detail: kind === "added" ? "connected" : "disconnected",
    }));
  changes.push(...edgeLines(addedEdges, "added"), ...edgeLines(removedEdges, "removed"));
  for (const [name, title] of OTHER_PARTS)
    if (!deepEqual(partOf(before, name), partOf(after, name)))
      changes.push({ kind: "changed", title, detail: "" });
  return changes;
}

const OTHER_PARTS = [
  ["notes", "Notes"],
  ["inputSchema", "Input fields"],
] as const;

function partOf(graph: NamedGraph, name: string): unknown {
  return (graph as unknown as Record<string, unknown>)[name] ?? null;
}

function titlesOf(...graphs: readonly { steps: readonly Step[] }[]): Map<string, string> {
  return new Map(graphs.flatMap(({ steps }) => steps.map((step) => [step.stepId, stepTitle(step)] as const)));
}

function describeFields(fields: readonly FieldChange[]): Pick<DraftChange, "detail" | "values"> {
  const [first] = fields;
  if (fields.length === 1 && first !== undefined) {
    if (first.name === "disabled") return { detail: first.after === true ? "disabled" : "enabled" };
    const [before, after] = [formatValue(first.before), formatValue(first.after)];
    const isShort = Math.max(before.length, after.length) <= MAX_VALUE_LENGTH && !/\n/.test(before + after);
    if (isShort) return { detail: "", values: { before, after } };
  }
  const names = fields.map(({ name }) => fieldLabel(name));
  const shown = names.slice(0, MAX_NAMED_FIELDS);
  if (names.length > shown.length) shown.push(`${names.length - shown.length} more`);
  return { detail: new Intl.ListFormat("en").format(shown) };
}

/** `maxRetries` → "max retries". */
export function fieldLabel(name: string): string {
  return name.replaceAll(/([A-Z])/g, " $1").toLowerCase();
}

/** The steps that a canvas flags, and the removed ones, which it draws too. */
export function changedSteps(changes: readonly DraftChange[]): Map<string, ChangeKind> {
  return new Map(
    changes.flatMap(({ stepId, kind }) => (stepId === undefined ? [] : [[stepId, kind] as const])),
  );
}

/** Both graphs in one: the newer one, and the removed steps with their connections where they were. */
export function overlaidGraph(before: NamedGraph, after: NamedGraph): NamedGraph {
  const kept = new Set(after.steps.map(({ stepId }) => stepId));
  const removed = before.steps.filter(({ stepId }) => !kept.has(stepId));
  const ids = new Set([...kept, ...removed.map(({ stepId }) => stepId)]);
  const gone = new Set(removed.map(({ stepId }) => stepId));
  const edges = before.edges
    .filter(
      ({ source, target }) => (gone.has(source) || gone.has(target)) && ids.has(source) && ids.has(target),
    )
    // Both versions may use one id for different connections.
    .map((edge) => ({ ...edge, id: `removed ${edge.source} ${edge.target}` }));
  return { ...after, steps: [...after.steps, ...removed], edges: [...after.edges, ...edges] };
}
