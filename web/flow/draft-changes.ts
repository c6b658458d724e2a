import type { Edge, Step } from "../../contract/graph.ts";
import {
  compareGraphs,
  deepEqual,
  edgeIdentity,
  type FieldChange,
  type NamedGraph,
} from "./compare-graphs.ts";
import { edgeLabel } from "./edge-label.ts";
import { formFields, formatValue } from "./form-fields.ts";
import { stepTitle } from "../../contract/graph/step-titles.ts";
import { formatDuration } from "./typed-duration.ts";

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
  const known = stepsOf(before, after);
  const titleOf = (stepId: string): string => {
    const step = known.get(stepId);
    return step === undefined ? stepId : stepTitle(step);
  };
  const changes: DraftChange[] = workflowFields.map((field) => ({
    kind: "changed",
    title: field.name === "name" ? "Name" : "Description",
    ...describeFields([field], undefined),
  }));
  for (const { stepId, kind, fields } of steps) {
    const title = titleOf(stepId);
    if (kind === "changed")
      changes.push({ kind, title, stepId, ...describeFields(fields, known.get(stepId)?.type) });
    else changes.push({ kind, title, stepId, detail: "" });
  }
  const whole = new Set(steps.filter(({ kind }) => kind !== "changed").map(({ stepId }) => stepId));
  // The connections of an added or removed step come and go with it.
  const isOwn = (edge: Edge): boolean => !whole.has(edge.source) && !whole.has(edge.target);
  const lineTitle = ({ source, target }: Edge): string => `${titleOf(source)} → ${titleOf(target)}`;
  const labelOf = (edge: Edge): string => edgeLabel(edge, known.get(edge.source)) ?? "Always";
  const removed = removedEdges.filter(isOwn);
  for (const edge of addedEdges.filter(isOwn)) {
    // Several lines may join the same steps: the one that only got another label comes first.
    const relabeled = removed.findIndex((each) => edgeIdentity(each) === edgeIdentity(edge));
    const at =
      relabeled !== -1
        ? relabeled
        : removed.findIndex(({ source, target }) => source === edge.source && target === edge.target);
    const [old] = at === -1 ? [] : removed.splice(at, 1);
    const textOf = relabeled === -1 ? labelOf : ownLabel;
    changes.push(
      old === undefined
        ? { kind: "added", title: lineTitle(edge), detail: "connected" }
        : {
            kind: "changed",
            title: lineTitle(edge),
            detail: "",
            values: { before: textOf(old), after: textOf(edge) },
          },
    );
  }
  for (const edge of removed)
    changes.push({ kind: "removed", title: lineTitle(edge), detail: "disconnected" });
  for (const [name, title] of OTHER_PARTS)
    if (!deepEqual(partOf(before, name), partOf(after, name)))
      changes.push({ kind: "changed", title, detail: "" });
  return changes;
}

/** A line with a condition shows that in place of its label. */
function ownLabel(edge: Edge): string {
  return typeof edge["label"] === "string" ? edge["label"] : "";
}

const OTHER_PARTS = [
  ["notes", "Notes"],
  ["inputSchema", "Input fields"],
] as const;

function partOf(graph: NamedGraph, name: string): unknown {
  return (graph as unknown as Record<string, unknown>)[name] ?? null;
}

/** The later graph wins. */
function stepsOf(...graphs: readonly { steps: readonly Step[] }[]): Map<string, Step> {
  return new Map(graphs.flatMap(({ steps }) => steps.map((step) => [step.stepId, step] as const)));
}

function describeFields(
  fields: readonly FieldChange[],
  type: string | undefined,
): Pick<DraftChange, "detail" | "values"> {
  const [first] = fields;
  if (fields.length === 1 && first !== undefined) {
    if (first.name === "disabled") return { detail: first.after === true ? "disabled" : "enabled" };
    const before = fieldText(type, first.name, first.before);
    const after = fieldText(type, first.name, first.after);
    if (isShort(before) && isShort(after)) return { detail: "", values: { before, after } };
  }
  const names = fields.map(({ name }) => fieldLabel(type, name));
  const shown = names.slice(0, MAX_NAMED_FIELDS);
  if (names.length > shown.length) shown.push(`${names.length - shown.length} more`);
  return { detail: new Intl.ListFormat("en").format(shown) };
}

const isShort = (text: string): boolean => text.length <= MAX_VALUE_LENGTH && !text.includes("\n");

/** Fields that the panel shows without a form. */
const OTHER_LABELS: Readonly<Record<string, string>> = {
  name: "Title",
  type: "Type",
  edges: "Lines",
  disabled: "Disabled",
};

const formField = (type: string | undefined, name: string) =>
  formFields(type).find((field) => field.name === name);

/** The label of the field in the step panel. */
export function fieldLabel(type: string | undefined, name: string): string {
  return formField(type, name)?.label ?? OTHER_LABELS[name] ?? name;
}

/** A value as the step panel shows it: "30 s", or the word of a choice. */
export function fieldText(type: string | undefined, name: string, value: unknown): string {
  const field = formField(type, name);
  if (typeof value === "number" && field?.kind === "milliseconds") return formatDuration(value);
  return field?.options.find((option) => option.value === value)?.label ?? formatValue(value);
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
    // Both versions may use one id for different connections, and two connections may join the same steps.
    .map((edge, index) => ({ ...edge, id: `removed ${index}` }));
  return { ...after, steps: [...after.steps, ...removed], edges: [...after.edges, ...edges] };
}
