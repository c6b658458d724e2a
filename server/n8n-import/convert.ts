import type { N8nReport } from "../../contract/n8n-import.ts";
import type { PartedWork } from "../lib/in-turns.ts";
import { classifyNodes, flowOfNode } from "./classify.ts";
import type { Conversion } from "./conversion.ts";
import { convertNodes } from "./convert-nodes.ts";
import { createDataFlow } from "./data/data-flow.ts";
import { createScopeOf } from "./data/scope.ts";
import { buildGraph } from "./draft/draft-graph.ts";
import { withGates } from "./draft/gates.ts";
import { notesOf } from "./draft/notes.ts";
import { repairGraph } from "./draft/repair.ts";
import { withResponse } from "./draft/response.ts";
import { createStepIds } from "./draft/step-ids.ts";
import { type NodeFlow, UNKNOWN_FLOW } from "./plan/node-flow.ts";
import { findParallel } from "./plan/parallel.ts";
import { planGraph } from "./plan/plan-graph.ts";
import { createScopes } from "./plan/scopes.ts";
import { nodeResults } from "./report/node-results.ts";
import { pinnedOf, withListResponses } from "./source/list-responses.ts";
import { withLoopOutputs } from "./source/older-loops.ts";
import { readWorkflow } from "./source/source.ts";
import { inputSchemaOf } from "./triggers/input-schema.ts";

export type Imported = Omit<N8nReport, "warnings">;

/** Converts any JSON that has `nodes`. Reads names and parameters only: nothing is evaluated, fetched or run. */
export function* convertWorkflow(
  file: Readonly<Record<string, unknown>>,
  connections: Readonly<Record<string, string>>,
): PartedWork<Imported> {
  const conversion = yield* startConversion(file, connections);
  const { source, nodes, triggers } = conversion;
  const flow = createDataFlow(conversion);
  yield;
  yield* convertNodes(conversion, createScopeOf(conversion, flow));

  yield;
  const inputSchema = inputSchemaOf([...triggers.keys()].flatMap((name) => nodes.get(name) ?? []));
  yield;
  const drawn = yield* buildGraph(conversion, flow);
  yield;
  const built = withGates(drawn, conversion, flow);
  yield;
  const { graph: responding, responseStepId } = withResponse(built, conversion, flow);
  const graph = { ...responding, ...(inputSchema !== undefined && { inputSchema }) };
  yield;
  const repaired = yield* repairGraph(graph, conversion);
  yield;
  const results = nodeResults(conversion);
  yield;
  const notes = notesOf(source, [...triggers.values()]);
  const counts = { ready: 0, check: 0, unsupported: 0 };
  for (const { result } of results) counts[result] += 1;
  return {
    workflow: {
      name: source.name,
      description: "Imported from n8n.",
      metadata: { ...repaired, ...(notes.length > 0 && { notes }) },
      ...(responseStepId !== undefined && { responseStepId }),
    },
    source: {
      name: source.name,
      ...(source.n8nVersion !== undefined && { n8nVersion: source.n8nVersion }),
      nodes: source.nodes.length,
      lines: [...source.linesLeftOut.values()].reduce(
        (sum, count) => sum + count,
        source.links.length + source.parts.length,
      ),
      notes: source.stickyNotes.length,
    },
    counts,
    nodes: results,
    triggers: [...triggers.values()],
  };
}

function* startConversion(
  file: Readonly<Record<string, unknown>>,
  connections: Readonly<Record<string, string>>,
): PartedWork<Conversion> {
  const read = readWorkflow(file);
  yield;
  const looped = withLoopOutputs(read);
  yield;
  const source = yield* withListResponses(looped, pinnedOf(file));
  yield;
  const roles = classifyNodes(source);
  yield;
  const { steps } = roles;
  const flows = new Map<string, NodeFlow>();
  for (const [name, node] of steps) {
    flows.set(name, flowOfNode(node));
    // The first node of an app loads its actions: 80 ms for those of all apps of a large file.
    yield;
  }
  const flowOf = (name: string) => flows.get(name) ?? UNKNOWN_FLOW;
  const links = source.links.filter(
    // A disabled node hands on what arrives to its first output.
    ({ from, to, output }) =>
      steps.has(to) && (steps.get(from)?.disabled === true ? output === 0 : steps.has(from)),
  );
  yield;
  const plan = yield* planGraph(steps, links, flowOf);
  yield;
  const scopes = createScopes(plan);
  yield;
  const starts = source.links.filter(({ from, to }) => roles.triggers.has(from) && steps.has(to));
  const parallel = yield* findParallel({
    steps,
    triggers: [...roles.triggers.keys()],
    plan,
    starts,
    scopes,
    flowOf,
  });
  return {
    source,
    ...roles,
    connections,
    flowOf,
    plan,
    scopes,
    parallel,
    ...createStepIds(plan),
    converted: new Map(),
    reports: new Map(),
  };
}
