import type { Edge, Step } from "../graph.ts";
import { traitsOf } from "../steps/catalogue.ts";
import { canBeTaken, edgeCase, edgeCondition } from "./branches.ts";
import type { Dependencies } from "./order.ts";
import { quote, type Place, type Report } from "./report.ts";

interface Drawn {
  steps: readonly Step[];
  edges: readonly Edge[];
  dependencies: Dependencies;
}

/** What is allowed but hardly meant. */
export function warnAboutShape(drawn: Drawn, report: Report): void {
  const { steps, edges, dependencies } = drawn;
  if (edges.length === 0) {
    if (steps.length > 1)
      report.warning(
        "no_edges",
        "The steps are joined by no edge, so they run one after the other as listed. Draw edges to say otherwise.",
      );
    return;
  }
  for (const { stepId, type } of steps) {
    const { incoming, outgoing } = dependencies.steps.get(stepId)!;
    if (incoming.length === 0 && outgoing.length === 0)
      report.warning(
        "disconnected_step",
        `Step ${quote(stepId)} is joined to no other step, so it starts at once, beside the rest. Draw an edge to it or remove it.`,
        { stepId },
      );
    warnAboutBranches(stepId, type, outgoing, report);
  }
  warnAboutUnreachable(drawn, report);
}

function warnAboutBranches(stepId: string, type: string, outgoing: readonly Edge[], report: Report): void {
  for (const edge of outgoing) {
    if (!canBeTaken(edge, type))
      report.warning(
        "unused_branch",
        `The edge from ${quote(stepId)} to ${quote(edge.target)} can never be taken: ${reasonNotTaken(edge)}.`,
        placeOf(edge),
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
        `Two edges from switch ${quote(stepId)} stand for the same case ${quote(value)}. Give each its own caseValue.`,
        placeOf(edge),
      );
    cases.add(value);
  }

  const deciding = outgoing.filter((edge) => edgeCondition(edge) !== "error");
  if (deciding.length === 0) return;
  if (branching === "outcome" && deciding.every((edge) => edgeCondition(edge) === undefined))
    report.warning(
      "unused_branch",
      `The outcome of condition ${quote(stepId)} decides nothing. Give its edges the condition "true" or "false".`,
      { stepId },
    );
  if (branching === "case" && cases.size === 0)
    report.warning(
      "unused_branch",
      `The value of switch ${quote(stepId)} decides nothing. Give its edges a caseValue.`,
      { stepId },
    );
}

function reasonNotTaken(edge: Edge): string {
  const condition = edgeCondition(edge);
  return condition === "true" || condition === "false"
    ? `only a condition step has the outcome "${condition}"`
    : "only a switch step has cases";
}

/** Follows the edges that can be taken; a step of which none leads in is skipped in every run. */
function warnAboutUnreachable({ steps, dependencies }: Drawn, report: Report): void {
  const typeOf = new Map(steps.map((step) => [step.stepId, step.type]));
  const inCycle = new Set(dependencies.cycles.flat());
  const never = new Set<string>();
  for (const stepId of dependencies.order) {
    const { incoming } = dependencies.steps.get(stepId)!;
    // A cycle is an error of its own; calling its steps unreachable as well would only confuse.
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

function placeOf(edge: Edge): Place {
  return typeof edge.id === "string" && edge.id !== "" ? { edgeId: edge.id } : { stepId: edge.source };
}
