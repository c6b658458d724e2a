import type { Edge, Step } from "../graph.ts";
import { traitsOf } from "../steps/catalogue.ts";
import { canBeTaken, edgeCase, edgeCondition } from "./branches.ts";
import { labelOf, type ParsedStep } from "./identity.ts";
import type { Dependencies } from "./order.ts";
import { quote, type ProblemLocation, type Report } from "./report.ts";

interface CheckedGraph {
  steps: readonly Step[];
  edges: readonly Edge[];
  dependencies: Dependencies;
}

/** Reports shapes that are allowed but probably not intended. */
export function warnAboutShape(checked: CheckedGraph, report: Report): void {
  const { steps, edges, dependencies } = checked;
  if (edges.length === 0) {
    if (steps.length > 1)
      report.warning(
        "no_edges",
        "The graph has no edges, so its steps run one after the other in the order of the list. Add edges to change that.",
      );
    return;
  }
  for (const { stepId, type } of steps) {
    const { incoming, outgoing } = dependencies.steps.get(stepId)!;
    if (incoming.length === 0 && outgoing.length === 0)
      report.warning(
        "disconnected_step",
        `Step ${quote(stepId)} has no edges, so it starts at once, in parallel to the others. Connect it or remove it.`,
        { stepId },
      );
    warnAboutBranches(stepId, type, outgoing, report);
  }
  warnAboutUnreachable(checked, report);
}

/** A workflow may call itself to walk a tree. Without a condition it does so until a limit ends the run. */
export function warnAboutSelfCall(
  { fields, location }: ParsedStep,
  { workflowId, report }: { workflowId: string | undefined; report: Report },
): void {
  if (workflowId === undefined || fields["workflowId"] !== workflowId) return;
  report.warning(
    "self_call",
    "This step calls its own workflow. Make sure that a condition ends the recursion.",
    location,
  );
}

const MAX_NOTE = 500;

/** An import leaves in `toCheck` what a person has to look at. The step runs as it is. */
export function warnToCheck(step: ParsedStep, report: Report): void {
  const note = step.fields["toCheck"];
  if (typeof note !== "string" || note === "") return;
  report.warning("to_check", `${labelOf(step)} is to be checked: ${note.slice(0, MAX_NOTE)}`, step.location);
}

function warnAboutBranches(stepId: string, type: string, outgoing: readonly Edge[], report: Report): void {
  for (const edge of outgoing) {
    if (!canBeTaken(edge, type))
      report.warning(
        "unused_branch",
        `The edge from ${quote(stepId)} to ${quote(edge.target)} can never be taken: ${reasonNotTaken(edge)}.`,
        locationOf(edge),
      );
  }
  const { branching } = traitsOf(type);
  if (branching === undefined) return;

  const cases = new Set<string>();
  for (const edge of branching === "case" ? outgoing : []) {
    const value = edgeCase(edge);
    if (value === undefined) continue;
    if (cases.has(value))
      report.warning(
        "unused_branch",
        `Two edges from switch ${quote(stepId)} have the same caseValue ${quote(value)}. Give each edge a different one.`,
        locationOf(edge),
      );
    cases.add(value);
  }

  const deciding = outgoing.filter((edge) => edgeCondition(edge) !== "error");
  if (deciding.length === 0) return;
  if (branching === "outcome" && deciding.every((edge) => edgeCondition(edge) === undefined))
    report.warning(
      "unused_branch",
      `The outcome of condition ${quote(stepId)} is not used. Give its edges the condition "true" or "false".`,
      { stepId },
    );
  if (branching === "case" && cases.size === 0)
    report.warning(
      "unused_branch",
      `The value of switch ${quote(stepId)} is not used. Give its edges a caseValue.`,
      { stepId },
    );
}

function reasonNotTaken(edge: Edge): string {
  const condition = edgeCondition(edge);
  if (condition === "timeout") return "only a wait_event step has a timeout";
  return condition === "true" || condition === "false"
    ? `only a condition step has the outcome "${condition}"`
    : "only a switch step has cases";
}

/** A step without an incoming edge that can be taken is skipped in every run, and so are the steps after it. */
function warnAboutUnreachable({ steps, dependencies }: CheckedGraph, report: Report): void {
  const typeOf = new Map(steps.map((step) => [step.stepId, step.type]));
  const inCycle = new Set(dependencies.cycles.flat());
  const never = new Set<string>();
  for (const stepId of dependencies.order) {
    const { incoming } = dependencies.steps.get(stepId)!;
    // A cycle is reported as an error; its steps are not reported again as unreachable.
    if (incoming.length === 0 || inCycle.has(stepId)) continue;
    if (incoming.some((edge) => !never.has(edge.source) && canBeTaken(edge, typeOf.get(edge.source))))
      continue;
    never.add(stepId);
    report.warning(
      "unreachable_step",
      `Step ${quote(stepId)} can never run, because no edge that leads to it can be taken. Change the conditions of those edges.`,
      { stepId },
    );
  }
}

function locationOf(edge: Edge): ProblemLocation {
  return typeof edge.id === "string" && edge.id !== "" ? { edgeId: edge.id } : { stepId: edge.source };
}
