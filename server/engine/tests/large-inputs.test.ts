import { expect, test } from "vitest";
import { createEngineStore } from "../../storage/engine/engine-store.ts";
import type { Db } from "../../storage/db.ts";
import { openBench } from "../testing/open-engine.ts";

test("a step that waits for a sub-workflow never reads the large input of that task", async () => {
  const bench = await openBench({ answer: async () => ({ output: "done" }) });
  const queries: string[] = [];
  const recording: Db = {
    ...bench.db,
    query: (sql, ...rest) => {
      queries.push(sql);
      return bench.db.query(sql, ...rest);
    },
  };
  const engine = await bench.engine({ store: createEngineStore(recording) });
  bench.workflow("child", {
    steps: [
      { stepId: "nap", type: "delay", seconds: 0.2 },
      { stepId: "end", type: "answer" },
    ],
    edges: [{ source: "nap", target: "end" }],
  });
  const parent = bench.workflow("parent", {
    steps: [{ stepId: "call", type: "workflow", workflowId: "child", input: "x".repeat(100_000) }],
    edges: [],
  });
  const { taskId } = await engine.start({ workflow: parent, trigger: "manual", input: {} });
  const isEnded = async (): Promise<string | undefined> => (await bench.store.state(taskId))?.status;
  await expect.poll(isEnded).toBe("completed");
  expect(queries.filter((sql) => sql.includes("large_input"))).toEqual([]);
  expect((await bench.store.task(taskId))?.result?.output).toBe("done");
  await engine.close();
});
