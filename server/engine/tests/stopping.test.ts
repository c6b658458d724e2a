import { describe, expect, test, vi } from "vitest";
import type { EngineDeps } from "../engine.ts";
import { noPeers } from "../cluster/peers.ts";
import { AppError } from "../../lib/errors.ts";
import { edge, transformStep as value } from "../../../test/support/graphs.ts";
import { ask, gate, storeWithHooks, reaches, start, statusOf, work, yes } from "../testing/gated.ts";
import { openBench } from "../testing/open-engine.ts";
import { HOUR_MS, hourLongNap, settableClock } from "../testing/settable-clock.ts";
import { pathOf } from "../testing/entry-samples.ts";

describe("more tasks than slots", () => {
  test("are queued, run in turn and never exceed the limit", async () => {
    let inFlight = 0;
    let most = 0;
    const bench = await openBench({
      async http() {
        most = Math.max(most, ++inFlight);
        await new Promise((resolve) => setImmediate(resolve));
        inFlight -= 1;
        return { output: null };
      },
    });
    const engine = await bench.engine({ concurrency: 2 });
    const workflow = bench.workflow("w", { steps: [work("a"), work("b")], edges: [] });
    const started = await Promise.all(
      Array.from({ length: 40 }, () => engine.start({ workflow, trigger: "manual", input: {} })),
    );
    expect(started.filter(({ status }) => status === "queued").length).toBe(38);
    for (const { taskId } of started) await reaches(bench, taskId, "completed");
    expect(most).toBeLessThanOrEqual(2);
  });

  test("do not wait for the next poll when slots became free meanwhile", async () => {
    const { run, open, isAt } = gate();
    const bench = await openBench({ http: run });
    const store = storeWithHooks(bench.store, {
      async accept(call) {
        // The first run has left before the second task is stored, so nothing else polls.
        if (isAt("slow")) {
          open("slow");
          await expect
            .poll(async () => (await bench.db.query("select 1 from task where status = 'completed'")).length)
            .toBe(1);
        }
        return call();
      },
    });
    const engine = await bench.engine({ concurrency: 1, store });
    await start(bench, engine, "one", [work("slow")]);
    await expect.poll(() => isAt("slow")).toBe(true);
    const second = await start(bench, engine, "two", [value("a")]);
    await expect.poll(statusOf(bench, second)).toBe("completed");
    await engine.close();
  });
});

describe("closing", () => {
  test("releases running tasks without failing them, also in a sub-workflow, and without counting a crash", async () => {
    const { run, open, isAt } = gate();
    const bench = await openBench({ http: run });
    bench.workflow("inner", {
      steps: [work("deep"), { stepId: "again", type: "workflow", workflowId: "leaf" }],
      edges: [],
    });
    bench.workflow("leaf", { steps: [value("leaf")], edges: [] });
    const first = await bench.engine();
    const taskId = await start(bench, first, "w", [
      work("a"),
      { stepId: "call", type: "workflow", workflowId: "inner" },
      value("end", "{{steps.call.output}}"),
    ]);
    await expect.poll(() => isAt("a")).toBe(true);
    open("a");
    await expect.poll(() => isAt("deep")).toBe(true);
    for (let i = 0; i < 4; i += 1) await (await bench.engine({ closeGraceMs: 0 })).close();
    await first.close();
    expect(await statusOf(bench, taskId)()).toBe("queued");
    const last = await bench.engine();
    await expect.poll(() => isAt("deep")).toBe(true);
    const finish = setInterval(() => open("deep"), 1);
    await reaches(bench, taskId, "completed");
    clearInterval(finish);
    expect((await last.read(taskId))!.task.result?.output).toBe("leaf");
  });

  test("lets a run that starts a sub-workflow meanwhile continue in the next process", async () => {
    const { run, open, isAt } = gate();
    const bench = await openBench({ http: run });
    bench.workflow("inner", { steps: [value("leaf")], edges: [] });
    const first = await bench.engine({ closeGraceMs: 5000 });
    const taskId = await start(bench, first, "w", [
      work("a"),
      { stepId: "call", type: "workflow", workflowId: "inner" },
    ]);
    await expect.poll(() => isAt("a")).toBe(true);
    const closing = first.close();
    open("a");
    await closing;
    await bench.engine();
    await reaches(bench, taskId, "completed");
    await expect(
      first.start({
        workflow: bench.workflow("x", { steps: [value("a")], edges: [] }),
        trigger: "manual",
        input: {},
      }),
    ).rejects.toMatchObject({ code: "unavailable" });
  });
});

describe("an unexpected fault", () => {
  test("after the task's end was stored leaves the task as it ended", async () => {
    const bench = await openBench();
    const errors = vi.fn<EngineDeps["onError"]>();
    const taskChanged = (): never => {
      throw new Error("deaf");
    };
    const engine = await bench.engine({
      onError: errors,
      peers: { ...noPeers, taskChanged, taskRecorded: taskChanged },
    });
    const taskId = await start(bench, engine, "w", [value("a")]);
    await expect.poll(() => errors.mock.calls.length).toBe(1);
    await engine.close();
    expect(await bench.store.task(taskId)).toMatchObject({ status: "completed", error: null });
  });

  test("of a listener or of the messages to peers changes nothing in the run", async () => {
    const { run, open, isAt, begun } = gate();
    const bench = await openBench({ http: run });
    const errors = vi.fn<EngineDeps["onError"]>();
    const taskChanged = (): never => {
      throw new Error("deaf");
    };
    const engine = await bench.engine({
      onError: errors,
      peers: { ...noPeers, taskChanged, taskRecorded: taskChanged },
    });
    const taskId = await start(bench, engine, "w", [work("a"), work("b")]);
    await expect.poll(() => isAt("a")).toBe(true);
    engine.watch(taskId, () => {
      throw new Error("broken");
    });
    open("a");
    await expect.poll(() => isAt("b")).toBe(true);
    open("b");
    await reaches(bench, taskId, "completed");
    expect(begun).toEqual(["a", "b"]);
    const reported = errors.mock.calls.map(([error]) => (error as Error).message);
    expect(new Set(reported)).toEqual(new Set(["broken", "deaf"]));
    await engine.close();
  });

  test("fails the task, wakes its caller, and stops the whole run", async () => {
    const { run, open, isAt, begun } = gate();
    const bench = await openBench({ http: run });
    const errors = vi.fn<EngineDeps["onError"]>();
    const store = storeWithHooks(bench.store, {
      record: (call, write) =>
        pathOf(write.entries[0]) === "broken" ? Promise.reject(new Error("corrupt")) : call(),
    });
    const engine = await bench.engine({ store, onError: errors });
    bench.workflow("inner", {
      steps: [
        work("broken"),
        { stepId: "each", type: "foreach", items: [1, 2, 3], concurrency: 1, steps: [work("x")] },
        value("end"),
      ],
      edges: [edge("broken", "end"), edge("each", "end")],
    });
    const taskId = await start(bench, engine, "w", [
      { stepId: "call", type: "workflow", workflowId: "inner" },
    ]);
    await expect.poll(() => isAt("broken") && isAt("each[0]/x")).toBe(true);
    open("broken");
    await reaches(bench, taskId, "failed");
    expect((await bench.store.task(taskId))?.error).toMatchObject({ code: "internal_error" });
    open("each[0]/x");
    await engine.close();
    expect(begun).toEqual(["broken", "each[0]/x"]);
    expect(errors).toHaveBeenCalledTimes(1);
    const childId = (await bench.store.childId(taskId, "call"))!;
    expect((await bench.store.entries(childId, 0, 99)).at(-1)).toMatchObject({
      kind: "status",
      status: "failed",
    });
  });

  test("of the disk is retried: the task stays ours and continues from its journal", async () => {
    const bench = await openBench();
    const failed = new Set<string>();
    const once = (what: string) => (call: () => Promise<unknown>) => {
      if (failed.has(what)) return call();
      failed.add(what);
      return Promise.reject(new AppError("storage_unavailable", "full", { retryable: true }));
    };
    const first = await bench.engine();
    const taskId = await start(bench, first, "w", [
      { stepId: "each", type: "foreach", items: [1], steps: [hourLongNap, value("x", "{{item}}")] },
    ]);
    await reaches(bench, taskId, "waiting");
    await first.close();
    const store = storeWithHooks(bench.store, { heads: once("heads"), items: once("items") });
    const engine = await bench.engine({ store, clock: settableClock(HOUR_MS) });
    await reaches(bench, taskId, "completed");
    expect(failed.size).toBe(2);
    await engine.close();
  });
});

describe("a task that crashes its process", () => {
  test("three times without progress is failed, and other tasks are not", async () => {
    const { run, open, begun } = gate();
    const bench = await openBench({ http: run });
    const first = await bench.engine();
    const poison = await start(bench, first, "poison", [value("a"), work("deadly")]);
    const patient = await start(bench, first, "patient", [ask, value("end")]);
    await reaches(bench, patient, "waiting_approval");
    await expect.poll(() => begun.length).toBe(1);
    // Every new engine finds the task as after a crash. "a" was progress, so the first crash counts from there.
    for (const starts of [2, 3]) {
      await bench.engine();
      await expect.poll(() => begun.length).toBe(starts);
    }
    const last = await bench.engine();
    await reaches(bench, poison, "failed");
    expect((await last.read(poison))!.task.error).toMatchObject({ code: "poison_task" });
    // Engines treated as dead can write nothing any more.
    const before = await bench.store.entries(poison, 0, 99);
    open("deadly");
    await last.decide(patient, yes);
    await reaches(bench, patient, "completed");
    expect(await bench.store.entries(poison, 0, 99)).toEqual(before);
    expect(begun).toHaveLength(3);
  });
});

describe("two processes on one database", () => {
  test("one that was suspended past its lease can record nothing afterwards", async () => {
    const { run, open, isAt, begun } = gate();
    const bench = await openBench({ http: run });
    const clock = settableClock();
    const stopped = await bench.engine({ leaseMs: 600_000, clock });
    await expect.poll(async () => (await bench.db.query("select 1 from worker")).length).toBe(1);
    const taskId = await start(bench, stopped, "w", [work("a"), work("b")]);
    await expect.poll(() => isAt("a")).toBe(true);
    // It is suspended for an hour; the other process recovers its task after a lease, so that one is short.
    clock.aheadMs = HOUR_MS;
    const other = await bench.engine({ leaseMs: 3000, clock });
    await expect.poll(() => begun.length, { timeout: 60_000 }).toBe(2);
    open("a");
    await expect.poll(() => isAt("b")).toBe(true);
    open("b");
    await reaches(bench, taskId, "completed");
    expect(
      (await bench.store.entries(taskId, 0, 99)).map((entry) => `${pathOf(entry)} ${entry.status}`),
    ).toEqual(["a completed", "b completed", " completed"]);
    await stopped.close();
    await other.close();
  });

  test("a step prepared past the lease is not executed", async () => {
    const { run, begun } = gate();
    const bench = await openBench({ http: run });
    const clock = { ahead: 0, now: () => Date.now(), monotonic: () => performance.now() + clock.ahead };
    const asked: ((variables: Record<string, string>) => void)[] = [];
    const variables = () =>
      new Promise<Record<string, string>>((resolve) => {
        asked.push(resolve);
      });
    const engine = await bench.engine({
      leaseMs: 600_000,
      clock,
      vault: { variables, secrets: () => Promise.resolve({}) },
    });
    const id = await start(bench, engine, "w", [{ ...work("a"), url: "http://{{vars.host}}" }]);
    await expect.poll(() => asked.length).toBe(1);
    clock.ahead = 3_600_000;
    asked[0]!({ host: "x" });
    // Released; a process without its lease does not claim it again.
    await reaches(bench, id, "queued");
    expect(begun).toEqual([]);
    expect(asked).toHaveLength(1);
    await engine.close();
  });

  test("a step whose runner wraps the error of the lost lease has not failed", async () => {
    const clock = { ahead: 0, now: () => Date.now(), monotonic: () => performance.now() + clock.ahead };
    const bench = await openBench({
      http(call) {
        clock.ahead = 3_600_000;
        try {
          call.assertLease();
        } catch (error) {
          throw new AppError("http_error", "not sent", { cause: error });
        }
        return Promise.resolve({ output: "sent" });
      },
    });
    const engine = await bench.engine({ leaseMs: 600_000, clock });
    const id = await start(bench, engine, "w", [work("a")]);
    await reaches(bench, id, "queued");
    expect(await bench.store.entries(id, 0, 99)).toEqual([]);
    await engine.close();
  });
});
