import { describe, expect, test } from "vitest";
import type { Engine } from "../engine-api.ts";
import { systemClock } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { edge, transformStep as value } from "../../../test/support/graphs.ts";
import { ask, gate, storeWithHooks, reaches, start, statusOf, work, yes } from "../testing/gated.ts";
import { openBench } from "../testing/open-engine.ts";
import { pathOf } from "../testing/entry-samples.ts";

describe("a wake", () => {
  test("that arrives while the task parks is not lost", async () => {
    const bench = await openBench({ http: () => Promise.resolve({ output: 1 }) });
    let engine: Engine | undefined;
    const store = storeWithHooks(bench.store, {
      async record(call, write) {
        // Decided between the last check and the park.
        if (write.change?.status === "waiting_approval")
          await engine!.decide(write.task.id, yes).catch(() => undefined);
        return call();
      },
    });
    engine = await bench.engine({ store });
    const taskId = await start(bench, engine, "w", [ask, value("end")]);
    await reaches(bench, taskId, "completed");
    await engine.close();
  });

  test("right after the park finds the task, and the run that leaves does not remove the new run", async () => {
    const { run, open, isAt } = gate();
    const bench = await openBench({ http: run });
    let engine: Engine | undefined;
    let parked = false;
    const store = storeWithHooks(bench.store, {
      async record(call, write) {
        const stored = await call();
        if (write.change?.status !== "waiting_approval") return stored;
        // The park is stored, but not acknowledged to its run, when the task already runs again.
        await engine!.decide(write.task.id, yes);
        // A task that parks makes the lane poll.
        await start(bench, engine!, "nap", [{ stepId: "nap", type: "delay", seconds: 0.02 }]);
        await expect.poll(() => isAt("slow")).toBe(true);
        parked = true;
        return stored;
      },
    });
    engine = await bench.engine({ store });
    const taskId = await start(bench, engine, "w", [ask, work("slow"), value("end")]);
    await expect.poll(() => parked).toBe(true);
    await reaches(bench, await start(bench, engine, "later", [value("a"), value("b")]), "completed");
    expect((await engine.read(taskId))!.stepResults.find(({ stepId }) => stepId === "slow")?.status).toBe(
      "running",
    );
    open("slow");
    await reaches(bench, taskId, "completed");
    await engine.close();
  });
});

describe("a sub-workflow", () => {
  test("that ends before its caller's wait is stored still wakes it", async () => {
    const bench = await openBench();
    bench.workflow("inner", { steps: [ask], edges: [] });
    let engine: Engine | undefined;
    const store = storeWithHooks(bench.store, {
      async record(call, write) {
        const [entry] = write.entries;
        if (entry?.kind === "wait" && entry.type === "workflow") {
          const childId = (await bench.store.childId(write.task.id, "call"))!;
          await engine!.decide(childId, yes);
          await expect.poll(statusOf(bench, childId)).toBe("completed");
        }
        return call();
      },
    });
    engine = await bench.engine({ store });
    const taskId = await start(bench, engine, "outer", [
      { stepId: "call", type: "workflow", workflowId: "inner" },
      value("end"),
    ]);
    await reaches(bench, taskId, "completed");
    await engine.close();
  });

  test("is retried, also when it failed in the future by the caller's clock", async () => {
    let attempts = 0;
    const bench = await openBench({
      http: () =>
        ++attempts === 1
          ? Promise.reject(new AppError("http_error", "bad"))
          : Promise.resolve({ output: attempts }),
    });
    bench.workflow("inner", { steps: [work("a")], edges: [] });
    let behindMs = 0;
    const store = storeWithHooks(bench.store, {
      record(call, write) {
        if (write.change?.status === "failed") behindMs = 200;
        return call();
      },
    });
    const clock = { ...systemClock, now: () => Date.now() - behindMs };
    const engine = await bench.engine({ store, clock });
    const call = { stepId: "call", type: "workflow", workflowId: "inner", maxRetries: 1 };
    await reaches(bench, await start(bench, engine, "outer", [call]), "completed");
    expect(attempts).toBe(2);
    await engine.close();
  });

  test("does not starve when callers hold every slot, also after a restart", async () => {
    const { run, open, isAt, begun } = gate();
    const bench = await openBench({ http: run });
    bench.workflow("inner", { steps: [work("slow")], edges: [] });
    const before = await bench.engine({ concurrency: 2 });
    const outer = bench.workflow("outer", {
      steps: [{ stepId: "call", type: "workflow", workflowId: "inner" }],
      edges: [],
    });
    const ids = await Promise.all(
      Array.from(
        { length: 6 },
        async () => (await before.start({ workflow: outer, trigger: "manual", input: {} })).taskId,
      ),
    );
    await expect.poll(() => begun.length).toBe(2);
    await before.close();
    const engine = await bench.engine({ concurrency: 2 });
    const finish = setInterval(() => isAt("slow") && open("slow"), 1);
    for (const id of ids) await reaches(bench, id, "completed");
    clearInterval(finish);
    await engine.close();
  });
});

describe("a decision", () => {
  test("counts once among concurrent approvals, rejections and reruns", async () => {
    const bench = await openBench();
    const engine = await bench.engine();
    const taskId = await start(bench, engine, "w", [ask, value("end")]);
    await reaches(bench, taskId, "waiting_approval");
    const decisions = await Promise.allSettled([
      engine.decide(taskId, yes),
      engine.decide(taskId, yes),
      engine.decide(taskId, { ...yes, decision: "reject" }),
    ]);
    expect(decisions.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await reaches(bench, taskId, "completed");
  });
});

describe("cancelling", () => {
  test("while a write is in flight leaves nothing behind", async () => {
    const bench = await openBench();
    let engine: Engine | undefined;
    const store = storeWithHooks(bench.store, {
      async record(call, write) {
        if (pathOf(write.entries[0]) === "a") await engine!.cancel(write.task.id);
        return call();
      },
    });
    engine = await bench.engine({ store });
    const taskId = await start(bench, engine, "w", [work("a"), value("b")]);
    await reaches(bench, taskId, "cancelled");
    await engine.close();
    expect((await bench.store.entries(taskId, 0, 9)).map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      "status cancelled",
    ]);
  });
});

describe("a loop", () => {
  test("with one iteration waiting and another failing fails, and a rerun opens the approval again", async () => {
    const { run, open, isAt } = gate();
    const bench = await openBench({ http: run });
    const engine = await bench.engine();
    const steps = [
      { stepId: "c", type: "condition", left: "{{item}}", operator: "eq", right: 1 },
      work("x"),
      ask,
      value("end", "{{item}}"),
    ];
    const edges = [
      edge("c", "x", { condition: "true" }),
      edge("c", "ask", { condition: "false" }),
      edge("x", "end"),
      edge("ask", "end"),
    ];
    const taskId = await start(bench, engine, "w", [
      { stepId: "each", type: "foreach", items: [0, 1], concurrency: 2, steps, edges },
    ]);
    await expect.poll(() => isAt("each[1]/x")).toBe(true);
    open("each[1]/x", true);
    await reaches(bench, taskId, "failed");
    await expect(engine.decide(taskId, yes)).rejects.toMatchObject({ code: "task_not_waiting" });
    await engine.rerunFromFailed(taskId);
    await expect.poll(async () => (await bench.store.openApprovals(taskId)).length).toBe(1);
    await engine.decide(taskId, yes);
    const finish = setInterval(() => open("each[1]/x"), 1);
    await reaches(bench, taskId, "completed");
    clearInterval(finish);
    expect((await engine.read(taskId))!.task.result?.output).toEqual([0, 1]);
  });
});
