import { expect, test } from "vitest";
import type { Graph } from "../../../contract/graph.ts";
import { createTestSandbox } from "../../sandbox/testing/test-sandbox.ts";
import { createCodeRunner } from "../../steps/code.ts";
import type { StepRunner } from "../run/step-runner.ts";
import { crashingStore } from "../testing/crashing-store.ts";
import { openBench } from "../testing/open-engine.ts";

const graph: Graph = {
  steps: [
    { stepId: "first", type: "code", code: "return { id: Math.random() }" },
    { stepId: "second", type: "code", code: "return steps.first.output" },
  ],
  edges: [{ source: "first", target: "second" }],
};

test.each([0, 1, 2, 3])(
  "code that is recorded never runs again; a crash at write %i before its record repeats it",
  async (write) => {
    const sandbox = createTestSandbox();
    const { engine, store, workflow } = await openBench();
    for (const stored of [true, false]) {
      const calls: string[] = [];
      const code = createCodeRunner({ sandbox });
      const counting: StepRunner = {
        run(call) {
          calls.push(call.path);
          return code.run(call);
        },
      };
      const runners = new Map([["code", counting]]);
      let crashed = false;
      const one = await engine({
        runners,
        store: crashingStore(store, { write, stored }, () => (crashed = true)),
      });
      const start = {
        workflow: workflow(`wf_${write}_${stored}`, graph),
        trigger: "manual" as const,
        input: {},
        idempotency: { scope: "s", key: `${write}${stored}`, bodyHash: "" },
      };
      let taskId = "";
      void one.start(start).then((started) => (taskId = started.taskId));
      await expect
        .poll(async () => crashed || (await store.task(taskId))?.status === "completed", { timeout: 5000 })
        .toBe(true);
      const before = calls.length;
      const two = await engine({ runners });
      const { taskId: again } = await two.start(start);
      await expect.poll(async () => (await store.task(again))?.status, { timeout: 5000 }).toBe("completed");
      const outputs = await store.outputs(again, ["first", "second"]);
      const [first, second] = ["first", "second"].map(
        (path) => outputs.find((one) => one.path === path)?.output,
      );
      // The second step read what was recorded, not what a repeated call returned.
      expect(first).toBe(second);
      // At most the step in progress runs twice.
      expect(calls.length).toBeLessThanOrEqual(3);
      expect(calls.filter((path) => path === "first").length).toBeLessThanOrEqual(before > 1 ? 1 : 2);
      await two.close();
    }
    await sandbox.close();
  },
);
