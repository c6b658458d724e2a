import type { Problem, Step } from "../../../contract/graph.ts";
import { allSteps } from "../../../contract/graph/all-steps.ts";
import { validationWork } from "../../../contract/graph/validate.ts";
import { appProblems } from "../../apps/graph-problems.ts";
import type { PartedWork } from "../../lib/in-turns.ts";
import { findScriptProblems } from "../../workflows/check-scripts.ts";
import type { Conversion } from "../conversion.ts";
import { type NodeReport, worse } from "../nodes/reporter.ts";
import type { SourceNode } from "../source/source.ts";
import { placeholderStep } from "./placeholder.ts";

const MAX_ROUNDS = 6;
const BECAME = "It became a placeholder.";

interface ImportedGraph {
  steps: Step[];
  edges: unknown[];
  inputSchema?: unknown;
}

/**
 * A draft must be one that can be published. A step with an error, such as an input that the file does not have, is
 * disabled; one that is still wrong becomes a placeholder.
 */
export function* repairGraph<G extends ImportedGraph>(
  graph: G,
  { nodes, reports, nameOf }: Conversion,
): PartedWork<G> {
  const steps = new Map(allSteps(graph).map((step) => [String(step["stepId"]), step as Step]));
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { errors } = yield* validationWork(graph);
    yield;
    const problems = errors.length === 0 ? yield* laterProblems(graph) : errors;
    if (problems.length === 0) return graph;
    if (problems.some(({ stepId }) => stepId === undefined)) delete graph.inputSchema;
    const repaired = new Set<string>();
    for (const { stepId, message } of problems) {
      const step = stepId === undefined ? undefined : steps.get(stepId);
      if (step === undefined || stepId === undefined || repaired.has(stepId)) continue;
      repaired.add(stepId);
      const name = nameOf(stepId);
      const report = name === undefined ? undefined : reports.get(name);
      if (step["disabled"] !== true) {
        step["disabled"] = true;
        if (report !== undefined) {
          report.result = worse(report.result, "check");
          report.notes.push(`Disabled until it is complete: ${message.slice(0, 300)}`);
        }
      } else replaceStep(step, stepId, name === undefined ? undefined : nodes.get(name), report);
    }
  }
  return graph;
}

function* laterProblems(graph: ImportedGraph): PartedWork<Problem[]> {
  const inScripts = yield* findScriptProblems(graph);
  yield;
  return [...inScripts, ...appProblems(graph)];
}

function replaceStep(
  step: Step,
  stepId: string,
  node: SourceNode | undefined,
  report: NodeReport | undefined,
): void {
  const placeholder = placeholderStep(stepId, node ?? { name: stepId, type: "", parameters: {} });
  for (const key of Object.keys(step)) delete step[key];
  Object.assign(step, placeholder);
  if (report === undefined) return;
  report.result = "unsupported";
  if (!report.notes.includes(BECAME)) report.notes.push(BECAME);
}
