import type { Edge, Graph, Step } from "../../contract/graph.ts";
import type { StepProgress } from "./run-progress.ts";
import { stepTitle } from "../../contract/graph/step-titles.ts";

type Outcomes = ReadonlyMap<string, Pick<StepProgress, "status">>;

/** Why a step has no result: what it waits for, or the decision that left it out. */
export function reasonNotRun(
  graph: Graph,
  step: Step,
  outcomes: Outcomes,
  outputs: ReadonlyMap<string, unknown>,
  hasEnded: boolean,
): string {
  const own = outcomes.get(step.stepId)?.status;
  if (step["disabled"] === true) return "Disabled";
  const incoming = graph.edges.filter(({ target }) => target === step.stepId);
  if (own === "skipped") return skipReason(graph, incoming, outcomes, outputs);
  const open = incoming.filter(({ source }) => isOpen(outcomes.get(source)?.status));
  if (hasEnded) return "Not reached";
  if (open.length > 1) return `Waits for ${open.length} steps`;
  return open.length === 1 ? `Waits for ${titleOf(graph, open[0]?.source ?? "")}` : "Not started";
}

function skipReason(
  graph: Graph,
  incoming: readonly Edge[],
  outcomes: Outcomes,
  outputs: ReadonlyMap<string, unknown>,
): string {
  // The step that decided says more than one that was itself left out.
  const edge = incoming.find(({ source }) => outcomes.get(source)?.status !== "skipped") ?? incoming[0];
  if (edge === undefined) return OTHER_BRANCH;
  const title = titleOf(graph, edge.source);
  const status = outcomes.get(edge.source)?.status;
  if (status === "skipped") return `Not taken: ${title} was not taken`;
  if (status === "failed") return `Not taken: ${title} failed`;
  if (edge["condition"] === "error") return `Not taken: ${title} did not fail`;
  if (edge["condition"] === "timeout") return `Not taken: ${title} got its event`;
  if (status === "completed" && isAlwaysTaken(graph, edge)) return OTHER_BRANCH;
  const output = outputs.get(edge.source);
  if (typeof output === "boolean") return `Not taken: ${title} was ${output ? "yes" : "no"}`;
  if (typeof output === "string" || typeof output === "number") return `Not taken: ${title} was ${output}`;
  return `Not taken: ${title} chose another branch`;
}

/** A step is skipped although its edge was taken when a step that joins on the first success has started. */
const OTHER_BRANCH = "Not needed: another branch was first";

function isAlwaysTaken({ steps }: Graph, edge: Edge): boolean {
  const isCase = edge["condition"] !== undefined || edge["caseValue"] !== undefined;
  return !isCase && steps.find(({ stepId }) => stepId === edge.source)?.type !== "switch";
}

function isOpen(status: string | undefined): boolean {
  return status === undefined || !["completed", "failed", "skipped"].includes(status);
}

function titleOf({ steps }: Graph, stepId: string): string {
  const step = steps.find((each) => each.stepId === stepId);
  return step === undefined ? stepId : stepTitle(step);
}
