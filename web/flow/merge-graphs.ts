import type { Edge, Graph, Step } from "../../contract/graph.ts";
import { deepEqual, edgeIdentity } from "./compare-graphs.ts";

/** A step that both sides changed in different ways; undefined for a side that deleted it. */
export interface Conflict {
  stepId: string;
  mine: Step | undefined;
  theirs: Step | undefined;
  /** The fields that both changed; empty when one side deleted the step. Changes to other fields are merged. */
  fields: string[];
}

interface Merge {
  graph: Graph;
  conflicts: Conflict[];
}

export type Choice = "mine" | "theirs";

/**
 * Three-way merge of two edits of one version, field by field. A field that one side changed is taken from that side. A
 * field that both changed is a conflict: the choice decides, and "theirs" is the default because it is already saved.
 */
export function mergeGraphs(
  base: Graph,
  mine: Graph,
  theirs: Graph,
  choices: ReadonlyMap<string, Choice> = new Map(),
): Merge {
  const before = byId(base);
  const own = byId(mine);
  const other = byId(theirs);
  const conflicts: Conflict[] = [];
  const steps: Step[] = [];
  for (const stepId of new Set([...other.keys(), ...own.keys()])) {
    const [was, me, they] = [before.get(stepId), own.get(stepId), other.get(stepId)];
    const iChanged = !sameStep(was, me);
    const theyChanged = !sameStep(was, they);
    let taken = iChanged ? me : they;
    if (iChanged && theyChanged && !sameStep(me, they)) {
      const chosen = choices.get(stepId) ?? "theirs";
      const { step, fields } = mergeStep(was, me, they, chosen);
      if (step === undefined || fields.length > 0 || me === undefined || they === undefined)
        conflicts.push({ stepId, mine: me, theirs: they, fields });
      taken = step;
    }
    if (taken !== undefined) steps.push(taken);
  }
  return {
    graph: {
      // Input fields that both sides changed are taken from the saved side.
      ...(deepEqual(base.inputSchema, theirs.inputSchema) ? inputOf(mine) : inputOf(theirs)),
      ...(deepEqual(base.notes, theirs.notes) ? notesOf(mine) : notesOf(theirs)),
      steps,
      edges: mergeEdges(base, mine, theirs, new Set(steps.map((step) => step.stepId))),
    },
    conflicts,
  };
}

function notesOf({ notes }: Graph): Pick<Graph, "notes"> {
  return notes === undefined ? {} : { notes };
}

function mergeStep(
  was: Step | undefined,
  me: Step | undefined,
  they: Step | undefined,
  chosen: Choice,
): { step: Step | undefined; fields: string[] } {
  if (me === undefined || they === undefined) return { step: chosen === "mine" ? me : they, fields: [] };
  const names = [...new Set([...Object.keys(they), ...Object.keys(me)])];
  const fields = names.filter(
    (name) =>
      name !== "position" &&
      !deepEqual(me[name], they[name]) &&
      !deepEqual(was?.[name], me[name]) &&
      !deepEqual(was?.[name], they[name]),
  );
  const entries = names.map((name) => {
    if (fields.includes(name)) return [name, (chosen === "mine" ? me : they)[name]] as const;
    return [name, deepEqual(was?.[name], me[name]) ? they[name] : me[name]] as const;
  });
  return { step: Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Step, fields };
}

function inputOf({ inputSchema }: Graph): Pick<Graph, "inputSchema"> {
  return inputSchema === undefined ? {} : { inputSchema };
}

function byId(graph: Graph): Map<string, Step> {
  return new Map(graph.steps.map((step) => [step.stepId, step]));
}

/** Positions are ignored: a moved step is not a conflict. */
function sameStep(left: Step | undefined, right: Step | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  return deepEqual({ ...left, position: null }, { ...right, position: null });
}

function mergeEdges(base: Graph, mine: Graph, theirs: Graph, stepIds: ReadonlySet<string>): Edge[] {
  const before = new Set(base.edges.map(edgeIdentity));
  const own = new Set(mine.edges.map(edgeIdentity));
  const kept = theirs.edges.filter((edge) => own.has(edgeIdentity(edge)) || !before.has(edgeIdentity(edge)));
  const known = new Set(theirs.edges.map(edgeIdentity));
  const added = mine.edges.filter(
    (edge) => !known.has(edgeIdentity(edge)) && !before.has(edgeIdentity(edge)),
  );
  const ids = new Set(kept.map((edge) => edge.id));
  return [
    ...kept,
    ...added.map((edge) => (ids.has(edge.id) ? { ...edge, id: `${edge.id}-mine` } : edge)),
  ].filter((edge) => stepIds.has(edge.source) && stepIds.has(edge.target));
}
