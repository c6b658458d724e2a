import type { Edge, Graph, Step } from "../../contract/graph.ts";

export interface FieldChange {
  name: string;
  before: unknown;
  after: unknown;
}

interface StepChange {
  stepId: string;
  kind: "added" | "removed" | "changed";
  /** The fields that differ; empty for an added or removed step. */
  fields: FieldChange[];
}

/** A graph, optionally with the name and description that are versioned with it. */
export interface NamedGraph extends Graph {
  name?: string;
  description?: string;
}

interface GraphComparison {
  /** The name and the description of the workflow. */
  workflowFields: FieldChange[];
  steps: StepChange[];
  addedEdges: Edge[];
  removedEdges: Edge[];
}

/** Fields without an effect on a run. */
const COSMETIC_FIELDS = new Set(["position"]);

export function compareGraphs(before: NamedGraph, after: NamedGraph): GraphComparison {
  const old = new Map(before.steps.map((step) => [step.stepId, step]));
  const now = new Map(after.steps.map((step) => [step.stepId, step]));
  const steps: StepChange[] = [];
  for (const [stepId, step] of now) {
    const was = old.get(stepId);
    if (was === undefined) steps.push({ stepId, kind: "added", fields: [] });
    else {
      const fields = changedFields(was, step);
      if (fields.length > 0) steps.push({ stepId, kind: "changed", fields });
    }
  }
  for (const stepId of old.keys()) if (!now.has(stepId)) steps.push({ stepId, kind: "removed", fields: [] });
  const oldEdges = new Set(before.edges.map(labeledEdge));
  const newEdges = new Set(after.edges.map(labeledEdge));
  return {
    workflowFields: (["name", "description"] as const)
      .filter((name) => before[name] !== after[name])
      .map((name) => ({ name, before: before[name], after: after[name] })),
    steps,
    addedEdges: after.edges.filter((edge) => !oldEdges.has(labeledEdge(edge))),
    removedEdges: before.edges.filter((edge) => !newEdges.has(labeledEdge(edge))),
  };
}

function changedFields(before: Step, after: Step): FieldChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => !COSMETIC_FIELDS.has(name) && !deepEqual(before[name], after[name]))
    .map((name) => ({ name, before: before[name], after: after[name] }));
}

/** Edges with the same ends and the same condition are the same edge, whatever their ids. */
export function edgeIdentity(edge: Edge): string {
  return JSON.stringify([edge.source, edge.target, edge["condition"] ?? null, edge["caseValue"] ?? null]);
}

/** To a comparison another label is a change. To a merge it is the same edge, which must not be there twice. */
function labeledEdge(edge: Edge): string {
  return JSON.stringify([edgeIdentity(edge), edge["label"] || null]);
}

export function deepEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  const names = Object.keys(left);
  if (Array.isArray(left) !== Array.isArray(right) || names.length !== Object.keys(right).length)
    return false;
  return names.every(
    (name) => Object.hasOwn(right, name) && deepEqual((left as never)[name], (right as never)[name]),
  );
}
