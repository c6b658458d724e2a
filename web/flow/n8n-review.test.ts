import { expect, test } from "vitest";
import type { N8nNode } from "../../contract/n8n-import.ts";
import { countResults, nextToCheck, reviewOrder } from "./n8n-review.ts";

const node = (name: string, result: N8nNode["result"]): N8nNode => ({
  name,
  type: "n8n-nodes-base.set",
  becomes: "step",
  result,
  note: "",
  expressions: [],
});
const nodes = [node("a", "ready"), node("b", "check"), node("c", "unsupported"), node("d", "check")];

test("what needs a person comes first, and a checked node counts as ready", () => {
  expect(reviewOrder(nodes).map(({ name }) => name)).toEqual(["b", "d", "c", "a"]);
  expect(countResults(nodes, new Set(["b"]))).toEqual({ ready: 2, check: 1, unsupported: 1 });
});

test("the next node to check is searched from the beginning, too", () => {
  const order = reviewOrder(nodes);
  expect(nextToCheck(order, new Set(), "b")).toBe("d");
  expect(nextToCheck(order, new Set(), "d")).toBe("b");
  expect(nextToCheck(order, new Set(["d"]), "b")).toBeUndefined();
});
