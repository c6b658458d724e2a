import { expect, test } from "vitest";
import type { N8nNode } from "../../../contract/n8n-import.ts";
import { withChecks } from "./to-check.ts";

const node = (name: string, more: Partial<N8nNode> = {}): N8nNode => ({
  name,
  type: "n8n-nodes-base.code",
  becomes: "step",
  stepId: name.toLowerCase(),
  result: "check",
  note: `Look at ${name}.`,
  expressions: [],
  ...more,
});
const metadata = {
  steps: [{ stepId: "a" }, { stepId: "loop", position: { x: 40, y: 10 }, steps: [{ stepId: "b" }] }],
  edges: [],
};

test("steps to check and their parts are marked, also in loops; ready and checked ones are not", () => {
  const nodes = [
    node("A"),
    node("Memory", { becomes: "part", stepId: "a", result: "unsupported" }),
    node("B", { note: "" }),
    node("Loop", { result: "ready" }),
  ];
  expect(withChecks(metadata, nodes, new Set()).steps).toMatchObject([
    { toCheck: "Look at A. Memory: Look at Memory." },
    { stepId: "loop", steps: [{ toCheck: "Check this step." }] },
  ]);
  const { steps } = withChecks(metadata, nodes, new Set(["A", "Memory", "B"]));
  expect(steps).toEqual(metadata.steps);
});
