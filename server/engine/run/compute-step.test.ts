import { expect, test } from "vitest";
import { edge, transformStep as value } from "../../../test/support/graphs.ts";
import { openBench } from "../testing/open-engine.ts";
import type { StepRunner } from "./step-runner.ts";

const CALL = { trigger: "api", input: { name: "Ada" } } as const;

/** A transform that counts how it was executed. */
function counting(compute: NonNullable<StepRunner["compute"]>) {
  const executed: string[] = [];
  const runner: StepRunner = {
    compute(fields) {
      executed.push("computed");
      return compute(fields);
    },
    run({ fields }) {
      executed.push("run");
      return Promise.resolve({ output: fields["template"] ?? null });
    },
  };
  return { executed, runners: new Map([["transform", runner]]) };
}

test("a chain of pure steps is computed, and its results are those of the general way", async () => {
  const bench = await openBench();
  const { executed, runners } = counting(({ template }) => template ?? null);
  const steps = Array.from({ length: 60 }, (_, index) =>
    value(`s${index}`, index === 0 ? "{{input.name}}" : `{{steps.s${index - 1}.output}}!`),
  );
  const edges = steps.slice(1).map((_step, index) => edge(`s${index}`, `s${index + 1}`));
  const workflow = bench.workflow("w", { steps, edges });
  const settle = async (options: Parameters<typeof bench.engine>[0]) => {
    const engine = await bench.engine(options);
    const { taskId } = await engine.start({ ...CALL, workflow });
    const { task, stepResults } = await engine.settled(taskId, 5000);
    return {
      result: task.result,
      steps: stepResults.map(({ stepId, input, output, attempts }) => [stepId, input, output, attempts]),
    };
  };
  const computed = await settle({ runners });
  expect(executed).toEqual(steps.map(() => "computed"));
  expect(computed.result?.output).toBe(`Ada${"!".repeat(59)}`);
  const run = new Map([["transform", { run: runners.get("transform")!.run }]]);
  expect(await settle({ runners: run })).toEqual(computed);
});

test("a step that cannot be computed at once runs like any other", async () => {
  const bench = await openBench();
  const { executed, runners } = counting(() => {
    throw new Error("not at once");
  });
  const engine = await bench.engine({ runners });
  const workflow = bench.workflow("w", { steps: [value("a", "{{input.name}}")], edges: [] });
  const { taskId } = await engine.start({ ...CALL, workflow });
  const { task, stepResults } = await engine.settled(taskId, 5000);
  expect(executed).toEqual(["computed", "run"]);
  expect(task.result?.output).toBe("Ada");
  expect(stepResults).toMatchObject([{ stepId: "a", status: "completed", attempts: 1 }]);
});

test("so does a step whose variable has to be loaded", async () => {
  const bench = await openBench();
  const { executed, runners } = counting(({ template }) => template ?? null);
  const engine = await bench.engine({
    runners,
    vault: {
      variables: () => Promise.resolve({ greeting: "Hello" }),
      secrets: () => Promise.resolve({}),
    },
  });
  const workflow = bench.workflow("w", { steps: [value("a", "{{vars.greeting}}")], edges: [] });
  const { taskId } = await engine.start({ ...CALL, workflow });
  expect((await engine.settled(taskId, 5000)).task.result?.output).toBe("Hello");
  expect(executed).toEqual(["run"]);
});
