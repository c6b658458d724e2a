import { expect, test } from "vitest";
import type { Graph } from "../../../contract/graph.ts";
import { AppError } from "../../lib/errors.ts";
import type { StepCall } from "../run/step-runner.ts";
import { crashingStore } from "../testing/crashing-store.ts";
import { type Bench, openBench } from "../testing/open-engine.ts";
import { graphOf } from "../testing/sample-graph.ts";

const http = (stepId: string, more: object = {}) => ({
  stepId,
  type: "http",
  method: "GET",
  url: stepId,
  ...more,
});
const JOIN = { stepId: "join", type: "transform", template: "joined", join: "first" };

/** Steps named `slow…` answer when they are aborted only, `bad…` fail, others return their name. */
function answers(calls: string[], aborted: string[] = []) {
  return {
    async http({ fields, signal }: StepCall) {
      const url = String(fields["url"]);
      calls.push(url);
      if (url.startsWith("bad")) throw new AppError("http_error", `${url} is down`);
      if (url.startsWith("slow"))
        await new Promise((resolve) =>
          signal.addEventListener("abort", () => {
            aborted.push(url);
            resolve(undefined);
          }),
        );
      return { output: url };
    },
  };
}

async function runToEnd(bench: Bench, graph: Graph, options: Parameters<Bench["engine"]>[0] = {}) {
  const engine = await bench.engine(options);
  const { taskId } = await engine.start({
    workflow: bench.workflow("wf", graph),
    trigger: "manual",
    input: {},
  });
  await expect
    .poll(async () => (await bench.store.task(taskId))!.status, { timeout: 10_000 })
    .toMatch(/completed|failed/);
  const { stepResults } = (await engine.read(taskId))!;
  return {
    engine,
    taskId,
    task: (await bench.store.task(taskId))!,
    steps: Object.fromEntries(stepResults.map(({ stepId, status }) => [stepId, status])),
    results: stepResults,
  };
}

test("the first success starts the step, aborts a request in flight and skips the rest of its branch", async () => {
  const calls: string[] = [];
  const aborted: string[] = [];
  const bench = await openBench(answers(calls, aborted));
  const graph = graphOf(
    [http("quick"), http("slow"), http("never"), JOIN, "after"],
    ["quick>join", "slow>never", "never>join", "join>after"],
  );
  const { task, steps, results } = await runToEnd(bench, graph);
  expect(task).toMatchObject({
    status: "completed",
    result: { output: "after", outputs: { after: "after" } },
  });
  expect(steps).toEqual({
    quick: "completed",
    slow: "skipped",
    never: "skipped",
    join: "completed",
    after: "completed",
  });
  expect(results.find(({ stepId }) => stepId === "slow")).toMatchObject({ reason: "other_branch_first" });
  expect([calls.toSorted(), aborted]).toEqual([["quick", "slow"], ["slow"]]);
});

test("a branch that waits for a person, a time, an event or another workflow ends with the race", async () => {
  const bench = await openBench(answers([]));
  bench.workflow("child", graphOf([{ stepId: "nap", type: "delay", seconds: 3600 }]));
  const graph = graphOf(
    [
      { stepId: "ask", type: "approval", message: "Go on?" },
      { stepId: "nap", type: "delay", seconds: 3600 },
      { stepId: "event", type: "wait_event", event: "paid", key: "1" },
      { stepId: "sub", type: "workflow", workflowId: "child", input: {} },
      {
        stepId: "each",
        type: "foreach",
        items: [1, 2],
        steps: [{ stepId: "in", type: "delay", seconds: 3600 }],
      },
      { stepId: "short", type: "delay", seconds: 0.2 },
      JOIN,
    ],
    ["ask", "nap", "event", "sub", "each", "short"].map((id) => `${id}>join`),
  );
  const { task, taskId, steps } = await runToEnd(bench, graph);
  expect(task.status).toBe("completed");
  expect(steps).toMatchObject({
    ask: "skipped",
    nap: "skipped",
    event: "skipped",
    sub: "skipped",
    each: "skipped",
  });
  const [approvals] = await bench.db.query<{ count: number }>("select count(*) as count from approval");
  const [waits] = await bench.db.query<{ count: number }>("select count(*) as count from event_wait");
  expect([Number(approvals!.count), Number(waits!.count)]).toEqual([0, 0]);
  const childId = await bench.store.childId(taskId, "sub");
  expect((await bench.store.task(childId!))!.status).toBe("cancelled");
});

test.each([
  ["at the end", []],
  ["before a disabled step", [{ stepId: "end", type: "transform", template: 1, disabled: true }]],
])("a disabled join %s ends the run with the first success", async (_where, after) => {
  const bench = await openBench(answers([]));
  const edges = ["quick>join", "slow>join", ...after.map(({ stepId }) => `join>${stepId}`)];
  const graph = graphOf([http("quick"), http("slow"), { ...JOIN, disabled: true }, ...after], edges);
  const { task, steps } = await runToEnd(bench, graph);
  expect(task.status).toBe("completed");
  expect(steps).toMatchObject({ quick: "completed", slow: "skipped", join: "skipped" });
});

test("the run fails when all branches have failed, also when a step beside them ends last", async () => {
  const bench: Bench = await openBench({
    async http({ fields, taskId }: StepCall) {
      const url = String(fields["url"]);
      if (url.startsWith("bad")) throw new AppError("http_error", `${url} is down`);
      const failed = async (): Promise<number> =>
        (await bench.store.entries(taskId, 0, 100)).filter(({ status }) => status === "failed").length;
      while ((await failed()) < 2) await new Promise((resolve) => setImmediate(resolve));
      return { output: url };
    },
  });
  const graph = graphOf([http("badA"), http("badB"), JOIN, http("last")], ["badA>join", "badB>join"]);
  const { task, steps } = await runToEnd(bench, graph);
  expect(task).toMatchObject({ status: "failed", error: { stepId: "badA" } });
  expect(steps).toMatchObject({ last: "completed" });
});

test("a step that ends while the lost branch is ended ends the run once, after the winner", async () => {
  const microtasks = async (count: number): Promise<void> => {
    for (let left = count; left > 0; left--) await Promise.resolve();
  };
  let winnerEnds: () => void = () => undefined;
  let winnerEnded: Promise<void>;
  let delay = 0;
  const bench = await openBench({
    async http({ fields, signal }: StepCall) {
      const url = String(fields["url"]);
      if (url === "winner") {
        await new Promise((resolve) => setImmediate(resolve));
        winnerEnds();
      } else if (url === "lost") {
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      } else {
        await winnerEnded;
        await microtasks(delay);
      }
      return { output: url };
    },
  });
  const engine = await bench.engine();
  const graph = graphOf(
    [http("winner"), http("lost"), http("beside"), { ...JOIN, disabled: true }],
    ["winner>join", "lost>join"],
  );
  for (delay = 0; delay < 100; delay++) {
    winnerEnded = new Promise((resolve) => (winnerEnds = resolve));
    const { taskId } = await engine.start({
      workflow: bench.workflow(`wf${delay}`, graph),
      trigger: "manual",
      input: {},
    });
    await expect
      .poll(async () => (await bench.store.task(taskId))!.status, { interval: 2, timeout: 10_000 })
      .toBe("completed");
    const entries = await bench.store.entries(taskId, 0, 100);
    const recorded = entries.map((entry) => (entry.kind === "step" ? entry.path : entry.kind));
    expect(recorded.toSorted()).toEqual(["beside", "join", "lost", "status", "winner"]);
    expect(recorded.at(-1)).toBe("status");
  }
});

test("a failed branch is waited out, and the run fails with the first failed step when all of them fail", async () => {
  const bench = await openBench(answers([]));
  const won = await runToEnd(
    bench,
    graphOf(
      [http("bad"), { stepId: "short", type: "delay", seconds: 0.05 }, JOIN],
      ["bad>join", "short>join"],
    ),
  );
  expect(won.task.status).toBe("completed");
  expect(won.steps).toEqual({ bad: "failed", short: "completed", join: "completed" });
  const lost = await runToEnd(bench, graphOf([http("bad1"), http("bad2"), JOIN], ["bad1>join", "bad2>join"]));
  expect(lost.task).toMatchObject({ status: "failed", error: { code: "http_error", stepId: "bad1" } });
  expect(lost.steps).toEqual({ bad1: "failed", bad2: "failed" });
});

test("a rerun after all branches failed tries every one again, and keeps a lost branch after a win", async () => {
  const calls: string[] = [];
  const bench = await openBench(answers(calls));
  const all = await runToEnd(bench, graphOf([http("bad1"), http("bad2"), JOIN], ["bad1>join", "bad2>join"]));
  calls.length = 0;
  await all.engine.rerunFromFailed(all.taskId);
  await expect.poll(() => calls.toSorted(), { timeout: 10_000 }).toEqual(["bad1", "bad2"]);
  await expect.poll(async () => (await bench.store.task(all.taskId))!.status).toBe("failed");

  const nap = { stepId: "short", type: "delay", seconds: 0.05 };
  const later = await runToEnd(
    bench,
    graphOf([http("bad"), nap, JOIN, http("bad3")], ["bad>join", "short>join", "join>bad3"]),
  );
  expect(later.task).toMatchObject({ status: "failed", error: { stepId: "bad3" } });
  calls.length = 0;
  await later.engine.rerunFromFailed(later.taskId);
  await expect.poll(async () => (await bench.store.task(later.taskId))!.status).toBe("failed");
  expect(calls).toEqual(["bad3"]);
});

test("a race inside a loop ends in each iteration on its own", async () => {
  const bench = await openBench(answers([]));
  const each = {
    stepId: "each",
    type: "foreach",
    items: [1, 2, 3],
    steps: [http("quick"), http("slow"), { ...JOIN, template: "{{item}}" }],
    edges: [
      { id: "1", source: "quick", target: "join" },
      { id: "2", source: "slow", target: "join" },
    ],
  };
  const { task } = await runToEnd(bench, graphOf([each]));
  expect(task.result).toMatchObject({ output: [1, 2, 3] });

  const bad = { ...each, steps: [http("quick", { url: "bad1" }), http("slow", { url: "bad2" }), JOIN] };
  const { engine, taskId } = await runToEnd(bench, graphOf([bad]));
  const { items } = (await engine.loopItems(taskId, "each"))!;
  expect(items.map(({ status }) => status)).toEqual(["failed", "failed", "failed"]);
});

test("after a crash at any write the branch that was recorded first is the winner", async () => {
  const calls: string[] = [];
  const bench = await openBench(answers(calls));
  for (const write of [1, 2, 3, 4, 5, 6])
    for (const stored of [true, false]) {
      const graph = graphOf(
        [
          http("bad"),
          http("quick"),
          http("slow"),
          { stepId: "ask", type: "approval", message: "Go on?" },
          JOIN,
          http("after"),
        ],
        ["bad>join", "quick>join", "slow>join", "ask>join", "join>after"],
      );
      let crashed = false;
      const one = await bench.engine({
        store: crashingStore(bench.store, { write, stored }, () => (crashed = true)),
      });
      const workflow = bench.workflow(`wf_${write}_${stored}`, graph);
      const { taskId } = await one.start({ workflow, trigger: "manual", input: {} });
      const hasEnded = async () => (await bench.store.task(taskId))!.status === "completed";
      await expect.poll(async () => crashed || (await hasEnded()), { timeout: 5000 }).toBe(true);
      const before = await bench.store.entries(taskId, 0, 100);
      const recorded = before.flatMap((entry) => (entry.kind === "step" ? [entry.path] : []));
      calls.length = 0;
      const two = await bench.engine();
      await expect.poll(hasEnded, { timeout: 5000 }).toBe(true);
      // Nothing that is recorded runs again, neither the winner nor the branches that lost.
      expect(calls.filter((url) => recorded.includes(url))).toEqual([]);
      const journal = await bench.store.entries(taskId, 0, 100);
      const ended = journal.flatMap((entry) => (entry.kind === "step" ? [[entry.path, entry.status]] : []));
      expect(Object.fromEntries(ended)).toEqual({
        bad: "failed",
        quick: "completed",
        slow: "skipped",
        ask: "skipped",
        join: "completed",
        after: "completed",
      });
      expect(ended).toHaveLength(6);
      expect(journal.at(-1)).toMatchObject({ kind: "status", status: "completed" });
      await two.close();
    }
});
