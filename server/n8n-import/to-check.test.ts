import { expect, test } from "vitest";
import type { N8nNode, N8nTrigger } from "../../contract/n8n-import.ts";
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
  expect(withChecks(metadata, { nodes, triggers: [] }, new Set()).steps).toMatchObject([
    { toCheck: "Look at A. Memory: Look at Memory." },
    { stepId: "loop", steps: [{ toCheck: "Check this step." }] },
  ]);
  const { steps } = withChecks(metadata, { nodes, triggers: [] }, new Set(["A", "Memory", "B"]));
  expect(steps).toEqual(metadata.steps);
});

test("a note left of the steps lists the triggers to add, and none that starts by hand", () => {
  const base = { result: "ready", note: "" } as const;
  const triggers: N8nTrigger[] = [
    { ...base, node: "Start", kind: "run" },
    { ...base, node: "Morning", kind: "schedule", cron: "30 7 * * *", note: "Choose a time zone." },
  ];
  const { notes } = withChecks(metadata, { nodes: [], triggers }, new Set());
  expect(notes).toEqual([
    {
      id: "n8n-triggers",
      text: "Triggers in n8n\nNot created. Add them here, then delete this note.\n• Morning: schedule 30 7 * * *. Choose a time zone.",
      position: { x: -340, y: 10 },
      width: 320,
    },
  ]);
  const byHand = withChecks(metadata, { nodes: [], triggers: triggers.slice(0, 1) }, new Set());
  expect(byHand.notes).toBeUndefined();
});
