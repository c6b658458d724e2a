import { describe, expect, test } from "vitest";
import { type Memory, blankMemory } from "../journal/fold.ts";
import { stepsAt, unhandledFailures } from "./rerun.ts";
import { compiledOf } from "../testing/sample-graph.ts";

const inner = {
  steps: [
    { stepId: "fetch", type: "http", url: "x", method: "GET" },
    { stepId: "soft", type: "transform", template: 1, onError: "continue" },
  ],
  edges: [],
};
const graph = compiledOf(
  [
    "a",
    "rescue",
    { stepId: "each", type: "foreach", items: [], ...inner },
    {
      stepId: "outer",
      type: "foreach",
      items: [],
      steps: [{ stepId: "each", type: "foreach", items: [], ...inner }],
      edges: [],
    },
    { stepId: "calls", type: "foreach", items: [], workflowId: "wf_1", onError: "continue" },
    { stepId: "plain[0]", type: "transform", template: 1, onError: "continue" },
  ],
  [{ id: "e", source: "a", target: "rescue", condition: "error" }],
);

function ended(status: "completed" | "failed" | "skipped", ...paths: string[]): Memory {
  const end = { status, output: null, error: null, final: false };
  return new Map(paths.map((path) => [path, { ...blankMemory(), ended: end }]));
}

describe("a rerun clears", () => {
  test("unhandled failures, in iterations too, and failures of steps that no longer exist", () => {
    const paths = ["rescue", "each[3]/fetch", "each", "outer[1]/each[22]/fetch", "gone", "each[1]/gone"];
    expect(unhandledFailures(ended("failed", ...paths), graph)).toEqual(paths);
  });

  test("no failure that the graph handles, except that of an iteration itself", () => {
    const memory = ended("failed", "a", "each[0]/soft", "calls", "calls[4]", "plain[0]");
    expect(unhandledFailures(memory, graph)).toEqual(["calls[4]"]);
  });

  test("nothing that completed, was skipped or has not ended", () => {
    const memory = new Map([
      ...ended("completed", "rescue"),
      ...ended("skipped", "each"),
      ["a", blankMemory()] as const,
    ]);
    expect(unhandledFailures(memory, graph)).toEqual([]);
  });
});

test("a path resolves through the loops to its step", () => {
  const idsAt = (path: string) => stepsAt(graph, path).map(({ id }) => id);
  expect(idsAt("outer[1]/each[2]/fetch")).toEqual(["outer", "each", "fetch"]);
  expect(idsAt("each[2]")).toEqual(["each"]);
  expect(idsAt("each[x]/fetch")).toEqual([]);
  expect(idsAt("calls[1]/fetch")).toEqual([]);
  expect(idsAt("each[1]/nothing")).toEqual([]);
});
