import { expect, test } from "vitest";
import { edge, transformStep as value } from "../../../test/support/graphs.ts";
import { openBench } from "../testing/open-engine.ts";
import { http } from "../testing/workbench.ts";
import { pathOf } from "../testing/entry-samples.ts";

test("no effect happens before everything it depends on is in the journal", async () => {
  const seen: string[][] = [];
  const bench = await openBench({
    async http({ taskId }) {
      seen.push((await bench.store.heads(taskId)).map((entry) => `${pathOf(entry)} ${entry.status}`));
      return { output: null };
    },
  });
  const workflow = bench.workflow("w", {
    steps: [
      value("a"),
      { stepId: "b", type: "condition", left: 1, operator: "eq", right: 1 },
      http("effect", "x"),
      value("never"),
    ],
    edges: [
      edge("a", "b"),
      edge("b", "effect", { condition: "true" }),
      edge("b", "never", { condition: "false" }),
    ],
  });
  const engine = await bench.engine();
  const { taskId } = await engine.start({ workflow, trigger: "manual", input: {} });
  expect((await engine.settled(taskId, 5000)).task.status).toBe("completed");
  expect(seen).toEqual([["a completed", "b completed", "never skipped"]]);
});
