import { expect, test, vi } from "vitest";
import type { EngineStore } from "../../server/engine/store.ts";
import { createBlobs } from "../../server/lib/blob-store.ts";
import { asDiskFault } from "../../server/lib/disk-fault.ts";
import { createFolderStores } from "../../server/storage/files/folder-store.ts";
import { openBench } from "../../server/engine/testing/open-engine.ts";
import { pathOf } from "../../server/engine/testing/entry-samples.ts";

const noSpace = () => asDiskFault(Object.assign(new Error("no space left"), { code: "ENOSPC" })) as Error;
const value = (stepId: string, template: unknown) => ({ stepId, type: "transform", template });
const edge = (source: string, target: string) => ({ id: `${source}-${target}`, source, target });

test.each([
  ["with its end", value("a", 1)],
  ["before its first effect", { stepId: "a", type: "http", url: "http://x" }],
])(
  "[R17] a task that was stored %s although its sync failed is refused, and still runs exactly once",
  async (_when, step) => {
    const bench = await openBench({ http: () => Promise.resolve({ output: 1 }) });
    let syncFails = true;
    const store: EngineStore = {
      ...bench.store,
      async accept(...call) {
        const accepted = await bench.store.accept(...call);
        if (syncFails) throw noSpace();
        return accepted;
      },
    };
    const engine = await bench.engine({ store });
    const request = {
      workflow: bench.workflow("wf", { steps: [step], edges: [] }),
      trigger: "api",
      input: {},
      idempotency: { scope: "s", key: "k", bodyHash: "h" },
    } as const;
    await expect(engine.start(request)).rejects.toMatchObject({ code: "storage_unavailable" });
    await expect.poll(() => bench.db.query("select status from task")).toEqual([{ status: "completed" }]);
    await expect.poll(async () => (await engine.stats()).running).toBe(0);
    expect(await bench.db.query("select kind, path from journal order by seq")).toEqual([
      { kind: "step", path: "a" },
      { kind: "status", path: "" },
    ]);
    syncFails = false;
    expect(await engine.start(request)).toMatchObject({ existing: true, status: "completed" });
    await engine.close();
  },
);

test("[R17] a task refused before it was stored leaves nothing behind", async () => {
  const bench = await openBench();
  const engine = await bench.engine({ store: { ...bench.store, accept: () => Promise.reject(noSpace()) } });
  const workflow = bench.workflow("wf", { steps: [value("a", 1)], edges: [] });
  await expect(engine.start({ workflow, trigger: "api", input: {} })).rejects.toMatchObject({
    code: "storage_unavailable",
  });
  expect(await bench.db.query("select id from task")).toEqual([]);
  await engine.close();
});

test("[R17] a run whose read failed continues from its journal, and parallel branches record nothing twice", async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  let executions = 0;
  const bench = await openBench({
    async http() {
      executions += 1;
      await held;
      return { output: "beside" };
    },
  });
  let unreadable = true;
  const engine = await bench.engine({
    store: {
      ...bench.store,
      async childId(taskId, path) {
        if (unreadable) {
          unreadable = false;
          // The branch beside it ends after the failed read.
          setImmediate(release);
          throw noSpace();
        }
        return bench.store.childId(taskId, path);
      },
    },
  });
  bench.workflow("inner", { steps: [value("one", 1)], edges: [] });
  const workflow = bench.workflow("outer", {
    steps: [
      value("start", 0),
      { stepId: "beside", type: "http", url: "http://x" },
      { stepId: "sub", type: "workflow", workflowId: "inner", input: {} },
    ],
    edges: [edge("start", "beside"), edge("start", "sub")],
  });
  const { taskId } = await engine.start({ workflow, trigger: "api", input: {} });
  expect((await engine.settled(taskId, 20_000)).task).toMatchObject({
    status: "completed",
    result: { outputs: { beside: "beside", sub: 1 } },
  });
  const entries = await engine.events(taskId, 0, 100);
  expect(entries.map((entry) => `${entry.kind} ${pathOf(entry)}`).toSorted()).toEqual([
    "status ",
    "step beside",
    "step start",
    "step sub",
  ]);
  expect(executions).toBe(1);
  await engine.close();
});

test("[R17] a run waits for disk space: no step fails for lack of it, and none is executed again", async () => {
  const call = vi.fn<() => Promise<{ output: string }>>(() =>
    Promise.resolve({ output: "x".repeat(300_000) }),
  );
  const bench = await openBench({ http: call });
  const full = { accept: true, put: true, record: true };
  const once = (what: keyof typeof full): void => {
    const isFull = full[what];
    full[what] = false;
    if (isFull) throw noSpace();
  };
  const blobs = createBlobs(createFolderStores(bench.folder).area("blobs"));
  const engine = await bench.engine({
    store: {
      ...bench.store,
      async accept(task, first) {
        if (task.parentStep !== null) once("accept");
        return bench.store.accept(task, first);
      },
      async record(write) {
        if (pathOf(write.entries[0]) === "end") once("record");
        return bench.store.record(write);
      },
    },
    blobs: {
      ...blobs,
      async put(key, text) {
        once("put");
        return blobs.put(key, text);
      },
    },
  });
  bench.workflow("inner", { steps: [value("one", 1)], edges: [] });
  const workflow = bench.workflow("outer", {
    steps: [
      { stepId: "big", type: "http", url: "http://x" },
      { stepId: "sub", type: "workflow", workflowId: "inner", input: {} },
      value("end", "{{steps.sub.output}}"),
    ],
    edges: [edge("big", "sub"), edge("sub", "end")],
  });
  const { taskId } = await engine.start({ workflow, trigger: "api", input: {} });
  expect((await engine.settled(taskId, 20_000)).task).toMatchObject({
    status: "completed",
    result: { output: 1 },
  });
  expect(full).toEqual({ accept: false, put: false, record: false });
  expect(call).toHaveBeenCalledTimes(1);
  await engine.close();
});
