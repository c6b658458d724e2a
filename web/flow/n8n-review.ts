import type { N8nNode } from "../../contract/n8n-import.ts";

/** The result of a node, and whether a person has looked at it. */
export type ReviewResult = N8nNode["result"] | "checked";
export type ReviewFilter = "all" | "check" | "unsupported";

export const RESULT_LABELS: Readonly<Record<ReviewResult, string>> = {
  ready: "Ready",
  check: "Check",
  checked: "Checked",
  unsupported: "Not supported",
};

export function resultOf({ name, result }: N8nNode, checked: ReadonlySet<string>): ReviewResult {
  return result === "check" && checked.has(name) ? "checked" : result;
}

export type ReviewCounts = Readonly<Record<"ready" | "check" | "unsupported", number>>;

/** A checked node counts as ready. */
export function countResults(nodes: readonly N8nNode[], checked: ReadonlySet<string>): ReviewCounts {
  const counts = { ready: 0, check: 0, unsupported: 0 };
  for (const node of nodes) {
    const result = resultOf(node, checked);
    counts[result === "checked" ? "ready" : result] += 1;
  }
  return counts;
}

const ORDER: Readonly<Record<N8nNode["result"], number>> = { check: 0, unsupported: 1, ready: 2 };

/** What needs a person first; otherwise in the order of the file. A checked node keeps its place. */
export function reviewOrder(nodes: readonly N8nNode[]): N8nNode[] {
  return nodes.toSorted((a, b) => ORDER[a.result] - ORDER[b.result]);
}

/** A checked node stays in the list of its filter: it would otherwise vanish under the pointer. */
export function matchesFilter({ result }: N8nNode, filter: ReviewFilter): boolean {
  return filter === "all" || result === filter;
}

/** The node to look at after this one: the next that is to be checked, from the end on the first; undefined when none is. */
export function nextToCheck(
  nodes: readonly N8nNode[],
  checked: ReadonlySet<string>,
  after: string,
): string | undefined {
  const at = nodes.findIndex(({ name }) => name === after);
  return [...nodes.slice(at + 1), ...nodes.slice(0, at)].find(
    (node) => node.name !== after && resultOf(node, checked) === "check",
  )?.name;
}
