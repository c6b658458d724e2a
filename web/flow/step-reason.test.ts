import { expect, test } from "vitest";
import type { Graph } from "../../contract/graph.ts";
import { reasonNotRun } from "./step-reason.ts";

const graph: Graph = {
  steps: [
    { stepId: "over", type: "condition", name: "Over €100?" },
    { stepId: "ask", type: "approval", name: "Finance approval" },
    { stepId: "pay", type: "http" },
    { stepId: "mail", type: "email" },
    { stepId: "alarm", type: "http" },
    { stepId: "off", type: "http", disabled: true },
  ],
  edges: [
    { id: "1", source: "over", target: "ask", condition: "true" },
    { id: "2", source: "ask", target: "pay" },
    { id: "3", source: "over", target: "pay" },
    { id: "4", source: "pay", target: "mail" },
    { id: "5", source: "over", target: "alarm", condition: "error" },
  ],
};

function reason(
  stepId: string,
  statuses: Record<string, string>,
  outputs: Record<string, unknown> = {},
  hasEnded = false,
): string {
  const outcomes = new Map(
    Object.entries(statuses).map(([id, status]) => [id, { status: status as "failed" }]),
  );
  const step = graph.steps.find((each) => each.stepId === stepId)!;
  return reasonNotRun(graph, step, outcomes, new Map(Object.entries(outputs)), hasEnded);
}

test("a step names what it waits for", () => {
  expect(reason("pay", {})).toBe("Waits for 2 steps");
  expect(reason("pay", { over: "completed", ask: "waiting_approval" })).toBe("Waits for Finance approval");
  expect(reason("over", {})).toBe("Not started");
  expect(reason("mail", {}, {}, true)).toBe("Not reached");
});

test("a step that was left out names the decision", () => {
  expect(reason("ask", { over: "completed", ask: "skipped" }, { over: false })).toBe(
    "Not taken: Over €100? was no",
  );
  expect(reason("alarm", { over: "completed", alarm: "skipped" }, { over: true })).toBe(
    "Not taken: Over €100? did not fail",
  );
  expect(reason("mail", { pay: "skipped", mail: "skipped" })).toBe("Not taken: pay was not taken");
  expect(reason("off", { off: "skipped" })).toBe("Disabled");
});

test("a step of a branch that another one was faster than says so", () => {
  expect(reason("over", { over: "skipped" })).toBe("Not needed: another branch was first");
  expect(reason("mail", { pay: "completed", mail: "skipped" }, { pay: true })).toBe(
    "Not needed: another branch was first",
  );
});
