import type { Edge } from "../graph.ts";
import { isRecord } from "../placeholders/json-value.ts";
import { caseKey, edgeCondition } from "./branches.ts";
import { quote, type ProblemLocation, type Report } from "./report.ts";

/** Reports the problems of each edge and returns the edges that join two different steps of the graph. */
export function readEdges(raw: readonly unknown[], ids: ReadonlySet<string>, report: Report): Edge[] {
  const edges: Edge[] = [];
  const seen = new Set<string>();

  raw.forEach((edge, index) => {
    if (!isRecord(edge)) {
      report.error(
        "invalid_field",
        `${labelOf({}, index)} must be an object with an id, a source and a target.`,
      );
      return;
    }
    const location = readEdgeId(edge, index, seen, report);
    checkBranch(edge, index, location, report);

    const { source, target } = edge;
    const knownSource = isKnown(source, ids);
    const knownTarget = isKnown(target, ids);
    if (!knownSource || !knownTarget) {
      const label = labelOf(location, index);
      if (!knownSource) report.error("unknown_edge_source", describeEnd(label, "source", source), location);
      if (!knownTarget) report.error("unknown_edge_target", describeEnd(label, "target", target), location);
      return;
    }
    if (source === target) {
      report.error(
        "self_edge",
        `${labelOf(location, index)} leads from step ${quote(source)} to itself. Remove it, or use a foreach step to repeat steps.`,
        { ...location, stepId: source },
      );
      return;
    }
    edges.push(edge as Edge);
  });
  return edges;
}

/** How messages name an edge: by its id, else by its position. */
function labelOf({ edgeId }: ProblemLocation, index: number): string {
  return edgeId === undefined ? `Edge ${index + 1} of the list` : `Edge ${quote(edgeId)}`;
}

function readEdgeId(
  edge: Record<string, unknown>,
  index: number,
  seen: Set<string>,
  report: Report,
): ProblemLocation {
  const id = edge["id"];
  if (id === undefined || id === null || id === "") {
    report.warning("missing_edge_id", `${labelOf({}, index)} has no id. Give it a unique id.`);
    return {};
  }
  if (typeof id !== "string") {
    report.error("invalid_field", `${labelOf({}, index)} has an id that is not text. Use a short string.`);
    return {};
  }
  if (seen.has(id))
    report.error(
      "duplicate_edge_id",
      `The edge id ${quote(id)} is used more than once. Give every edge a unique id.`,
      {
        edgeId: id,
      },
    );
  seen.add(id);
  return { edgeId: id };
}

function checkBranch(
  edge: Record<string, unknown>,
  index: number,
  location: ProblemLocation,
  report: Report,
): void {
  const { condition, caseValue } = edge;
  const plain = condition === undefined || condition === null || condition === "";
  if (!plain && edgeCondition(edge) === undefined)
    report.error(
      "invalid_field",
      `${labelOf(location, index)}: the condition must be "true", "false", "error" or "timeout". To compare values, add a condition step before it.`,
      location,
    );
  if (caseValue !== undefined && caseKey(caseValue) === undefined)
    report.error(
      "invalid_field",
      `${labelOf(location, index)}: the caseValue must be text, a number or true/false.`,
      location,
    );
}

function isKnown(end: unknown, ids: ReadonlySet<string>): end is string {
  return typeof end === "string" && ids.has(end);
}

function describeEnd(label: string, side: "source" | "target", end: unknown): string {
  const verb = side === "source" ? "starts at" : "leads to";
  if (end === undefined || end === null || end === "")
    return `${label} has no ${side}. Set it to the stepId of the step where the edge ${side === "source" ? "starts" : "ends"}.`;
  if (typeof end !== "string") return `${label} has a ${side} that is not text. Set it to a stepId.`;
  return `${label} ${verb} ${quote(end)}, but there is no such step. Set its ${side} to an existing stepId or remove the edge.`;
}
