import type { Edge, Step } from "../../../contract/graph.ts";
import { isRecord } from "../../../contract/placeholders/json-value.ts";
import { traitsOf } from "../../../contract/steps/catalogue.ts";
import { isMarker, typeOf, withFieldNames } from "./aliases.ts";
import { layOut } from "./layout.ts";
import { renameReferences } from "./references.ts";
import { uniqueSlug } from "./slug.ts";

export interface Notice {
  code: string;
  message: string;
  stepId?: string;
}

export interface Normalised {
  name: string | undefined;
  description: string | undefined;
  steps: Step[];
  edges: Edge[];
  notices: Notice[];
}

/** Properties in which other workflow builders keep the fields of a step. */
const NESTED = ["data", "config", "parameters", "params", "fields", "settings", "properties", "inputs"];
const MAX_STEPS = 200;

/** Converts a model's output into the graph format. Repairs only the shape; the validator reports what is missing. */
export function normalise(given: unknown): Normalised {
  const outer = isRecord(given) ? given : { steps: given };
  const root = isRecord(outer["workflow"]) ? outer["workflow"] : outer;
  const graph = isRecord(root["metadata"])
    ? { ...root, ...root["metadata"] }
    : isRecord(root["graph"])
      ? { ...root, ...root["graph"] }
      : root;
  const notices: Notice[] = [];
  const { steps, edges } = normaliseGraph(graph, notices, new Set());
  return {
    name: textOf(root["name"]) ?? textOf(root["title"]),
    description: textOf(root["description"]),
    steps: layOut(steps, edges),
    edges,
    notices,
  };
}

function normaliseGraph(
  graph: Record<string, unknown>,
  notices: Notice[],
  used: Set<string>,
): { steps: Step[]; edges: Edge[] } {
  const given = listOf(graph["steps"] ?? graph["nodes"])
    .filter(isRecord)
    .slice(0, MAX_STEPS);
  const newIds = new Map<string, string>();
  const markers = new Set<string>();
  const steps: Step[] = [];
  for (const raw of given) {
    const type = raw["type"] ?? raw["kind"] ?? raw["nodeType"];
    const oldId = String(raw["stepId"] ?? raw["id"] ?? raw["step_id"] ?? raw["name"] ?? type ?? "step");
    if (isMarker(type)) {
      markers.add(oldId);
      notices.push({
        code: "step_dropped",
        message: `"${oldId}" marks the start or end of a run and is not a step, so it was removed.`,
      });
      continue;
    }
    const stepId = uniqueSlug(oldId, used);
    // References to a duplicate id are ambiguous: the first step with the id keeps them.
    if (!newIds.has(oldId)) newIds.set(oldId, stepId);
    steps.push(toStep(raw, stepId, typeOf(type), notices, used));
  }
  const edges = joinAcross(readEdges(graph["edges"] ?? graph["connections"], newIds), markers);
  if (edges.length === 0 && steps.length > 1) {
    edges.push(...sequence(steps));
    notices.push({
      code: "edges_added",
      message: "The steps had no edges, so they were connected in the order of the list.",
    });
  }
  const renamed = renameReferences(steps, newIds) as Step[];
  return { steps: renamed, edges: withIds(edges) };
}

function toStep(
  raw: Record<string, unknown>,
  stepId: string,
  type: string,
  notices: Notice[],
  used: Set<string>,
): Step {
  const { stepId: _s, id: _i, step_id: _u, type: _t, kind: _k, nodeType: _n, position: _p, ...own } = raw;
  const fields: Record<string, unknown> = { ...own };
  for (const key of NESTED) {
    const nested = fields[key];
    // The `data` of an http step may be its body: it is unpacked only if it looks like step fields.
    if (!isRecord(nested) || (key === "data" && type === "http" && fields["url"] !== undefined)) continue;
    if ((type === "mcp" && key === "params") || (type === "workflow" && key === "inputs")) continue;
    delete fields[key];
    for (const [name, value] of Object.entries(nested)) fields[name] ??= value;
  }
  const named = withFieldNames(type, withoutNulls(fields));
  if (traitsOf(type).loop === true && Array.isArray(named["steps"])) {
    const inner = normaliseGraph({ steps: named["steps"], edges: named["edges"] }, notices, used);
    named["steps"] = inner.steps;
    named["edges"] = inner.edges;
  }
  return { stepId, type, ...named };
}

function readEdges(given: unknown, newIds: ReadonlyMap<string, string>): Edge[] {
  return listOf(given)
    .filter(isRecord)
    .map((raw): Edge => {
      const { source, target, from, to, start, end, label, sourceHandle, condition, caseValue } = raw;
      const idOf = (value: unknown): string => newIds.get(String(value)) ?? String(value ?? "");
      const taken = conditionOf(condition ?? sourceHandle ?? label);
      return {
        source: idOf(source ?? from ?? start),
        target: idOf(target ?? to ?? end),
        ...(taken === undefined ? {} : { condition: taken }),
        ...(caseValue === undefined || caseValue === null ? {} : { caseValue }),
        ...(typeof label === "string" && label !== "" ? { label } : {}),
      };
    });
}

/** Removes the edges of a dropped marker node and joins its predecessors with its successors. */
function joinAcross(edges: readonly Edge[], markers: ReadonlySet<string>): Edge[] {
  let list = [...edges];
  for (const marker of markers) {
    const into = list.filter((edge) => edge.target === marker);
    const out = list.filter((edge) => edge.source === marker);
    list = list.filter((edge) => edge.target !== marker && edge.source !== marker);
    for (const before of into) for (const after of out) list.push({ ...before, target: after.target });
  }
  return list;
}

function conditionOf(value: unknown): string | undefined {
  const word = String(value ?? "").toLowerCase();
  if (["true", "yes", "then"].includes(word)) return "true";
  if (["false", "no", "else", "otherwise"].includes(word)) return "false";
  return ["error", "failure", "failed", "onerror"].includes(word) ? "error" : undefined;
}

function sequence(steps: readonly Step[]): Edge[] {
  return steps.slice(1).map((step, index) => ({ source: steps[index]?.stepId ?? "", target: step.stepId }));
}

function withIds(edges: readonly Edge[]): Edge[] {
  const seen = new Set<string>();
  const used = new Set<string>();
  return edges.flatMap((edge) => {
    const { id: _id, label: _label, ...meaning } = edge;
    const key = JSON.stringify(meaning);
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ ...edge, id: uniqueSlug(`${edge.source}-${edge.target}`, used) }];
  });
}

function withoutNulls(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return isRecord(value)
    ? Object.entries(value).map(([id, entry]) => (isRecord(entry) ? { id, ...entry } : entry))
    : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}
