import { expect, test } from "vitest";
import type { Graph, Task } from "../api/types.ts";
import { keptResults } from "./kept-results.ts";
import { orderedSteps } from "./step-order.ts";
import { titleAt } from "../../contract/graph/step-titles.ts";
import { curlOf } from "./run-request.ts";

test("the input of the command is quoted for a shell", () => {
  const input = { name: "O'Hara $HOME", lines: "a\nb" };
  const command = curlOf({ workflowId: "wf_1", input }, "http://localhost:3000");
  expect(command).toContain("http://localhost:3000/api/workflows/wf_1/run");
  const quoted = command.slice(command.indexOf("-d '") + 4, -1);
  // Within single quotes a shell changes nothing, and only a single quote ends them.
  expect(quoted.replaceAll(`'\\''`, "").includes("'")).toBe(false);
  expect(JSON.parse(quoted.replaceAll(`'\\''`, "'"))).toEqual({ input });
});

const graph: Graph = {
  steps: [
    { stepId: "c", type: "http", name: "Last" },
    { stepId: "a", type: "http" },
    { stepId: "b", type: "foreach", name: "Each", steps: [{ stepId: "in", type: "http", name: "Inner" }] },
  ],
  edges: [
    { id: "1", source: "a", target: "b" },
    { id: "2", source: "b", target: "c" },
  ],
};

test("a rerun keeps completed results, a replay those before its step", () => {
  const stepResults = ["a", "b", "c"].map((stepId) => ({
    stepId,
    status: stepId === "c" ? "failed" : "completed",
  }));
  const task = { stepResults } as unknown as Task;
  expect(keptResults(task, graph, undefined)).toBe(2);
  expect(keptResults(task, graph, "b")).toBe(1);
  expect(keptResults(task, graph, "a")).toBe(0);
});

test("steps are listed after those before them, and a path has the title of its step", () => {
  expect(orderedSteps(graph).map(({ stepId }) => stepId)).toEqual(["a", "b", "c"]);
  expect(titleAt(graph, "b[3]/in")).toBe("Inner");
  expect(titleAt(graph, "b[3]")).toBe("Each");
  expect(titleAt(graph, "gone")).toBe("gone");
});
