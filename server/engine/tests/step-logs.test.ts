import { describe, expect, test } from "vitest";
import { AppError } from "../../lib/errors.ts";
import { limitsOf } from "../../limits/testing/limits-of.ts";
import type { TaskEvent } from "../engine-api.ts";
import type { StepRunner } from "../run/step-runner.ts";
import { openBench } from "../testing/open-engine.ts";
import { http, type Loose } from "../testing/workbench.ts";

const CALL = { trigger: "api", input: {} } as const;
const GRAPH = { steps: [http("call", "x", { maxRetries: 1, backoffMultiplier: 1 })], edges: [] };

async function startWith(run: StepRunner["run"], options: Loose = {}) {
  const bench = await openBench({ http: run });
  const engine = await bench.engine(options);
  const { taskId } = await engine.start({ ...CALL, workflow: bench.workflow("w", options.graph ?? GRAPH) });
  return { engine, taskId };
}

const messages = (lines: Loose) => (lines as { message: string }[]).map(({ message }) => message);

describe("the log lines of a step", () => {
  test("are in its result and its attempts, each attempt with its own", async () => {
    const { engine, taskId } = await startWith(({ attempt, log }) => {
      log("info", `attempt ${attempt}`);
      return attempt === 1
        ? Promise.reject(new AppError("http_error", "no", { retryAfterMs: 0 }))
        : Promise.resolve({ output: 1, extra: { response: { status: 200 } } });
    });
    const { stepResults } = await engine.settled(taskId, 20_000);
    expect(stepResults[0]).toMatchObject({
      response: { status: 200 },
      logs: [{ at: expect.stringMatching(/Z$/), level: "info", message: "attempt 2" }],
    });
    const { items } = await engine.attempts(taskId, "call", { limit: 10 });
    expect(items.map(({ logs }) => messages(logs))).toEqual([["attempt 2"], ["attempt 1"]]);
  });

  test("are in the journal with each event that ends an attempt, also inside loops", async () => {
    const loop = {
      steps: [
        {
          stepId: "each",
          type: "foreach",
          items: [1, 2],
          steps: [http("call", "x", { maxRetries: 1, backoffMultiplier: 1 })],
          edges: [],
        },
      ],
      edges: [],
    };
    const { engine, taskId } = await startWith(
      ({ attempt, log }) => {
        log("info", `attempt ${attempt}`);
        return attempt === 1
          ? Promise.reject(new AppError("http_error", "no", { retryAfterMs: 0 }))
          : Promise.resolve({ output: 1 });
      },
      { graph: loop },
    );
    await engine.settled(taskId, 20_000);
    const events = await engine.events(taskId, 0, 100);
    const logs = await engine.logs(taskId, 0, events.at(-1)!.seq);
    const lines = events.flatMap((event) =>
      (logs.get(event.seq) ?? []).map(({ message }) => [event.kind, "path" in event && event.path, message]),
    );
    expect(lines.toSorted()).toEqual([
      ["attempt", "each[0]/call", "attempt 1"],
      ["attempt", "each[1]/call", "attempt 1"],
      ["step", "each[0]/call", "attempt 2"],
      ["step", "each[1]/call", "attempt 2"],
    ]);
    const [first] = [...logs.keys()];
    expect([...(await engine.logs(taskId, first!, 100)).keys()]).toEqual([...logs.keys()].slice(1));
  });

  test("of many attempts fill at most 1 MiB of a page of the journal", async () => {
    const items = Array.from({ length: 20 }, (_, index) => index);
    const loop = {
      steps: [{ stepId: "each", type: "foreach", items, steps: [http("call", "x")], edges: [] }],
      edges: [],
    };
    const { engine, taskId } = await startWith(
      ({ log }) => {
        for (let line = 0; line < 8; line++) log("info", "x".repeat(8000));
        return Promise.resolve({ output: 1 });
      },
      { graph: loop },
    );
    await engine.settled(taskId, 20_000);
    const logs = [...(await engine.logs(taskId, 0, 100)).values()];
    expect(logs).toHaveLength(20);
    expect(JSON.stringify(logs).length).toBeLessThan(1.1 * 1024 * 1024);
    expect(messages(logs.at(-1))).toEqual([expect.stringMatching(/too large; \/api\/tasks\/.+\/attempts/)]);
  });

  test("are sent live, and the result of the running step has them", async () => {
    let write = (_text: string): void => undefined;
    let end = (): void => undefined;
    const { engine, taskId } = await startWith(({ log }) => {
      write = (text) => log("warn", text);
      return new Promise((resolve) => (end = () => resolve({ output: 1 })));
    });
    await expect.poll(async () => (await engine.read(taskId))?.stepResults[0]?.status).toBe("running");
    const events: TaskEvent[] = [];
    engine.watch(taskId, (event) => events.push(event));
    write("working");
    expect(events).toMatchObject([{ seq: null, path: "call", line: { level: "warn", message: "working" } }]);
    const running = await engine.read(taskId);
    expect(running?.stepResults[0]).toMatchObject({ status: "running", logs: [{ message: "working" }] });
    end();
    const ended = await engine.settled(taskId, 20_000);
    write("late");
    expect(messages(ended.stepResults[0]!["logs"])).toEqual(["working"]);
    expect(events.filter((event) => event.seq === null)).toHaveLength(1);
  });

  test("carry no secret of the run", async () => {
    const { engine, taskId } = await startWith(
      ({ log }) => {
        log("info", "token hunter2hunter2 sent");
        return Promise.resolve({ output: 1 });
      },
      {
        graph: { steps: [http("call", "{{secrets.token}}")], edges: [] },
        vault: {
          variables: () => Promise.resolve({}),
          secrets: () => Promise.resolve({ token: "hunter2hunter2" }),
        },
      },
    );
    const { stepResults } = await engine.settled(taskId, 20_000);
    expect(messages(stepResults[0]!["logs"])).toEqual(["token ••• sent"]);
  });

  test("count as bytes of the task", async () => {
    const { engine, taskId } = await startWith(
      ({ log }) => {
        log("info", "x".repeat(8000));
        return Promise.resolve({ output: 1 });
      },
      { limits: limitsOf({ task_output_bytes: 5000 }) },
    );
    const { stepResults } = await engine.settled(taskId, 20_000);
    expect(stepResults[0]?.error?.code).toBe("output_too_large");
  });

  test("give way to the address of the attempts when the response would be too large", async () => {
    const { engine, taskId } = await startWith(
      ({ log }) => {
        log("info", "x".repeat(8000));
        return Promise.resolve({ output: 1 });
      },
      { limits: limitsOf({ response_bytes: 5000 }) },
    );
    const { stepResults } = await engine.settled(taskId, 20_000);
    expect(messages(stepResults[0]!["logs"])).toEqual([
      `The response would be too large; /api/tasks/${taskId}/steps/call/attempts has the lines.`,
    ]);
  });
});
