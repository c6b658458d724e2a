import { describe, expect, test, vi } from "vitest";
import type { Engine } from "../engine-api.ts";
import { statusEntry } from "../testing/entry-samples.ts";
import { noPeers } from "../cluster/peers.ts";
import type { EngineStore } from "../store.ts";
import { systemClock } from "../../lib/clock.ts";
import { AppError, unavailable } from "../../lib/errors.ts";
import { transformStep as value } from "../../../test/support/graphs.ts";
import { reaches } from "../testing/gated.ts";
import { type Bench, openBench } from "../testing/open-engine.ts";
import { http } from "../testing/workbench.ts";

const CALL = { trigger: "api", input: {} } as const;
const LARGE = "x".repeat(300 * 1024);

/** A store that inserts some tasks only when the test releases the insert. */
function holding(bench: Bench, which: (task: Parameters<EngineStore["accept"]>[0]) => boolean = () => true) {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const held: string[] = [];
  const store: EngineStore = {
    ...bench.store,
    async accept(...call) {
      if (which(call[0])) {
        held.push(call[0].id);
        await released;
      }
      return bench.store.accept(...call);
    },
  };
  return { store, held, release };
}

function memoryBlobs(put: () => Promise<void>) {
  return {
    put: vi.fn<() => Promise<void>>(put),
    get: () => Promise.resolve(""),
    open: () => Promise.reject(new Error("not used")),
    removeFolder: () => Promise.resolve(),
  };
}

describe("while a task is being stored", () => {
  test("a task of pure steps holds no slot, so no other task is queued because of it", async () => {
    const bench = await openBench({ http: () => Promise.resolve({ output: 1 }) });
    const { store, release } = holding(bench, ({ workflowId }) => workflowId === "quick");
    const engine = await bench.engine({ store, concurrency: 1 });
    const quick = bench.workflow("quick", { steps: [value("a")], edges: [] });
    const slow = bench.workflow("slow", { steps: [http("call", "x")], edges: [] });
    const computing = engine.start({ ...CALL, workflow: quick });
    expect(await engine.start({ ...CALL, workflow: slow })).toMatchObject({ status: "running" });
    release();
    await computing;
    await engine.close();
  });

  test("no blob is stored, since a refused task would leave it behind", async () => {
    const bench = await openBench({ transform: () => Promise.resolve({ output: LARGE }) });
    const { store, held, release } = holding(bench);
    const blobs = memoryBlobs(() => Promise.resolve());
    const engine = await bench.engine({ store, blobs });
    const workflow = bench.workflow("w", { steps: [value("a")], edges: [] });
    const started = engine.start({ ...CALL, workflow });
    await expect.poll(() => held).toHaveLength(1);
    expect(blobs.put).not.toHaveBeenCalled();
    release();
    await reaches(bench, (await started).taskId, "completed");
    expect(blobs.put).toHaveBeenCalled();
    await engine.close();
  });

  test("a run refused by a full disk ends, however large its output", async () => {
    const bench = await openBench({ transform: () => Promise.resolve({ output: LARGE }) });
    const full = (): Promise<never> => Promise.reject(unavailable("full"));
    const engine = await bench.engine({ store: { ...bench.store, accept: full }, blobs: memoryBlobs(full) });
    const workflow = bench.workflow("w", { steps: [value("a")], edges: [] });
    await expect(engine.start({ ...CALL, workflow })).rejects.toMatchObject({ code: "unavailable" });
    await expect.poll(async () => (await engine.stats()).running).toBe(0);
    await engine.close();
  });

  test("its process keeps its lease, also after being suspended for longer than the lease", async () => {
    const bench = await openBench();
    const { store, release } = holding(bench);
    let ahead = 0;
    let beats = 0;
    const engine = await bench.engine({
      clock: { ...systemClock, monotonic: () => systemClock.monotonic() + ahead },
      leaseMs: 150,
      store: {
        ...store,
        heartbeat(...call) {
          beats += 1;
          return bench.store.heartbeat(...call);
        },
      },
    });
    const started = engine.start({
      ...CALL,
      workflow: bench.workflow("w", { steps: [value("a")], edges: [] }),
    });
    ahead = 10_000;
    const before = beats;
    await expect.poll(() => beats, { timeout: 10_000 }).toBeGreaterThan(before + 3);
    release();
    await reaches(bench, (await started).taskId, "completed");
    await engine.close();
  });

  /** Runs a workflow with a sub-workflow step and cancels it around the insert of the child. */
  async function cancelledAround(bench: Bench, more: Partial<EngineStore>, when: "before" | "after") {
    let childId = "";
    const engine: Engine = await bench.engine({
      store: {
        ...bench.store,
        ...more,
        async accept(...call) {
          const [{ id, parentTaskId, parentStep }] = call;
          if (parentTaskId === null || parentStep === null) return bench.store.accept(...call);
          childId = id;
          if (when === "before") await engine.cancel(parentTaskId);
          const accepted = await bench.store.accept(...call);
          if (when === "after") await engine.cancel(parentTaskId);
          return accepted;
        },
      },
    });
    bench.workflow("inner", { steps: [http("effect", "x")], edges: [] });
    const sub = { stepId: "sub", type: "workflow", workflowId: "inner", input: {} };
    const workflow = bench.workflow("outer", { steps: [sub], edges: [] });
    const { taskId } = await engine.start({ ...CALL, workflow });
    await reaches(bench, taskId, "cancelled");
    return { engine, childId };
  }

  test("a cancel of its parent prevents the insert", async () => {
    const effect = vi.fn<() => Promise<never>>(() => new Promise(() => undefined));
    const bench = await openBench({ http: effect });
    const { engine, childId } = await cancelledAround(bench, {}, "before");
    await engine.close();
    expect(await bench.store.task(childId)).toBeUndefined();
    expect(effect).not.toHaveBeenCalled();
  });

  test("a cancel of its parent that read before the insert still reaches it", async () => {
    const bench = await openBench({ http: () => new Promise(() => undefined) });
    let cancels = 0;
    const more: Partial<EngineStore> = {
      async cancel(taskId, now) {
        if (cancels++ > 0) return bench.store.cancel(taskId, now);
        const sql = "update task set status = 'cancelled', epoch = epoch + 1, worker_id = null where id = $1";
        await bench.db.batch([{ sql, params: [taskId] }]);
        return [
          {
            taskId,
            lane: "task",
            trigger: "manual",
            entry: statusEntry({ seq: 1, status: "cancelled", at: now }),
          },
        ];
      },
    };
    const { engine, childId } = await cancelledAround(bench, more, "after");
    await reaches(bench, childId, "cancelled");
    await engine.close();
  });
});

test("a task with an idempotency key is stored before any step runs, since its client retries", async () => {
  const bench = await openBench();
  const writes: string[] = [];
  const engine = await bench.engine({
    store: {
      ...bench.store,
      accept(task, first) {
        writes.push(first === undefined ? "accept alone" : "accept with a run");
        return bench.store.accept(task, first);
      },
      record(write) {
        writes.push("record");
        return bench.store.record(write);
      },
    },
  });
  const workflow = bench.workflow("w", { steps: [value("a")], edges: [] });
  const idempotency = { scope: "s", key: "k", bodyHash: "h" };
  const { taskId } = await engine.start({ ...CALL, workflow, idempotency });
  await reaches(bench, taskId, "completed");
  expect(writes).toEqual(["accept alone", "record"]);
  await engine.close();
});

test("a task whose insert lost its acknowledgement continues when the database is readable again", async () => {
  const bench = await openBench({ http: () => Promise.resolve({ output: 1 }) });
  let isDown = false;
  let id = "";
  const gone = (): AppError => new AppError("storage_unavailable", "gone", { retryable: true });
  const engine = await bench.engine({
    store: {
      ...bench.store,
      async accept(...call) {
        id = call[0].id;
        await bench.store.accept(...call);
        isDown = true;
        throw gone();
      },
      task: (taskId) => (isDown ? Promise.reject(gone()) : bench.store.task(taskId)),
    },
  });
  const workflow = bench.workflow("w", { steps: [http("a", "x")], edges: [] });
  await expect(engine.start({ ...CALL, workflow })).rejects.toMatchObject({ code: "storage_unavailable" });
  isDown = false;
  await reaches(bench, id, "completed");
  await engine.close();
});

test("a task stored long after its caller received an error still runs", async () => {
  const bench = await openBench({ http: () => Promise.resolve({ output: 1 }) });
  let id = "";
  let arrive: () => Promise<unknown> = () => Promise.resolve();
  let checks = 0;
  const engine = await bench.engine({
    orphanCheckMs: 10,
    store: {
      ...bench.store,
      accept(...call) {
        id = call[0].id;
        arrive = () => bench.store.accept(...call);
        return Promise.reject(unavailable("gone"));
      },
      ownTasks(workerId) {
        checks += 1;
        return bench.store.ownTasks(workerId);
      },
    },
  });
  const workflow = bench.workflow("w", { steps: [http("a", "x")], edges: [] });
  await expect(engine.start({ ...CALL, workflow })).rejects.toMatchObject({ code: "unavailable" });
  // A check for orphans has found nothing by now.
  await expect.poll(() => checks).toBeGreaterThan(2);
  await arrive();
  await reaches(bench, id, "completed");
  await engine.close();
});

test("a process without its lease releases accepted tasks to its peers and notifies them", async () => {
  const bench = await openBench();
  let ahead = 0;
  const workIsDue = vi.fn<() => void>();
  const engine = await bench.engine({
    clock: { ...systemClock, monotonic: () => systemClock.monotonic() + ahead },
    leaseMs: 60_000,
    concurrency: 0,
    peers: { ...noPeers, workIsDue },
  });
  ahead = 100_000;
  const workflow = bench.workflow("w", { steps: [value("a")], edges: [] });
  const { taskId } = await engine.start({ ...CALL, workflow });
  await reaches(bench, taskId, "queued");
  await expect.poll(() => workIsDue.mock.calls.length).toBeGreaterThan(0);
  await engine.close();
});

test("an unreadable row affects no other task", async () => {
  const bench = await openBench();
  const engine = await bench.engine();
  const workflow = bench.workflow("w", { steps: [value("a")], edges: [] });
  const [bad, good] = [await engine.start({ ...CALL, workflow }), await engine.start({ ...CALL, workflow })];
  await bench.db.batch([
    { sql: "update task set input = '{' where id = $1", params: [bad.taskId] },
    { sql: "update journal set extra = '{' where task_id = $1", params: [bad.taskId] },
  ]);
  const { task, ownEntries } = bench.store;
  const reads = [task(bad.taskId), task(good.taskId), ownEntries(bad.taskId), ownEntries(good.taskId)];
  const read = await Promise.allSettled<unknown>(reads);
  expect(read.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected", "fulfilled"]);
});
