import { expect, test } from "vitest";
import { createPeers } from "../../storage/engine/peers.ts";
import type { EngineStore } from "../store.ts";
import { openBench } from "../testing/open-engine.ts";

const graph = {
  steps: [{ stepId: "call", type: "http", method: "GET" as const, url: "http://127.0.0.1/" }],
  edges: [],
};
const CALL = { trigger: "api", input: { name: "Ada" } } as const;

/** One process that accepts and one that runs, whose messages arrive at once unless they are lost. */
async function openProcesses(output: unknown, { losesEnds = false, ended = Promise.resolve() } = {}) {
  const bench = await openBench({
    async http() {
      await ended;
      return { output: output as string };
    },
  });
  const handlers: [string, (payload: string) => void][] = [];
  const connect = () =>
    createPeers({
      notify(channel, payload) {
        if (losesEnds && channel.startsWith("ended_")) return;
        for (const [subscribed, handler] of handlers) if (subscribed === channel) handler(payload);
      },
      listen(channel, handler) {
        handlers.push([channel, handler]);
        return Promise.resolve(() => Promise.resolve());
      },
    });
  /** Whether each end was sent with its run. */
  const endsWithRun: boolean[] = [];
  let [reads, taskReads] = [0, 0];
  /** Whether the rows that the first process reads show no end of a task, or no task. */
  const rows = { hideEnds: false, hideTasks: false };
  async function hidden<Row extends object>(read: Promise<Row | undefined>): Promise<Row | undefined> {
    taskReads += 1;
    const row = await read;
    if (row === undefined || rows.hideTasks) return undefined;
    return rows.hideEnds ? { ...row, status: "running" } : row;
  }
  const store: EngineStore = {
    ...bench.store,
    task: (taskId) => hidden(bench.store.task(taskId)),
    state: (taskId) => hidden(bench.store.state(taskId)),
    ownEntries(taskId) {
      reads += 1;
      return bench.store.ownEntries(taskId);
    },
  };
  const lease = { leaseMs: 60_000 };
  const api = await bench.engine({ ...lease, concurrency: 0, store, peers: connect() });
  const workerPeers = connect();
  const peers: typeof workerPeers = {
    ...workerPeers,
    taskRecorded(taskId, recorded) {
      if (recorded.waiter !== undefined) endsWithRun.push(recorded.finished !== undefined);
      workerPeers.taskRecorded(taskId, recorded);
    },
  };
  await bench.engine({ ...lease, concurrency: 5, peers });
  const workflow = bench.workflow("w", graph);
  return { api, workflow, rows, endsWithRun, reads: () => reads, taskReads: () => taskReads };
}

test("a caller gets the run of a peer from its message, as the journal would show it", async () => {
  const { api, workflow, rows, reads } = await openProcesses({ text: "a\nb \n é \u0000" });
  rows.hideEnds = true;
  const { taskId, status } = await api.start({ ...CALL, workflow });
  expect(status).toBe("queued");
  const settled = await api.settled(taskId, 20_000, { isQueued: true });
  expect(reads()).toBe(0);
  rows.hideEnds = false;
  expect(settled).toMatchObject({ task: { status: "completed", input: CALL.input } });
  expect(settled).toEqual(await api.read(taskId));
});

test("a caller that waits long reads the journal of a peer's run only when the run has ended", async () => {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const { api, workflow, reads, taskReads } = await openProcesses("x", { losesEnds: true, ended });
  const { taskId } = await api.start({ ...CALL, workflow });
  const settled = api.settled(taskId, 60_000, { isQueued: true });
  await expect.poll(taskReads).toBeGreaterThan(1);
  expect(reads()).toBe(0);
  end();
  expect(await settled).toMatchObject({ task: { status: "completed" } });
  expect(reads()).toBe(1);
});

test("a caller whose task is deleted meanwhile gets an error", async () => {
  const { api, workflow, rows, taskReads } = await openProcesses("x", { losesEnds: true });
  const { taskId } = await api.start({ ...CALL, workflow });
  rows.hideTasks = true;
  const settled = api.settled(taskId, 20_000, { isQueued: true });
  await expect(settled).rejects.toMatchObject({ code: "task_not_found" });
  // The first found no task, the second was that of the response.
  expect(taskReads()).toBe(2);
});

test("the end of a run whose input is large is sent without the run", async () => {
  const { api, workflow, endsWithRun } = await openProcesses("x");
  for (const name of ["Ada", "x".repeat(20_000)]) {
    const { taskId } = await api.start({ ...CALL, input: { name }, workflow });
    expect(await api.settled(taskId, 20_000, { isQueued: true })).toMatchObject({
      task: { status: "completed", input: { name } },
    });
  }
  expect(endsWithRun).toEqual([true, false]);
});

test("no process is notified of the end of a task that no caller waits for", async () => {
  const { api, workflow, endsWithRun } = await openProcesses("x");
  const { taskId } = await api.start({ ...CALL, workflow, isAwaited: false });
  // A process that waits all the same announces it to its peers.
  expect(await api.settled(taskId, 20_000)).toMatchObject({ task: { status: "completed" } });
  expect(endsWithRun).toEqual([]);
});

test.each([
  ["that is too large for a message", "x".repeat(9000), {}],
  ["whose message is lost", "x", { losesEnds: true }],
])("a caller reads a run %s", async (_name, output, options) => {
  const { api, workflow, reads } = await openProcesses(output, options);
  const { taskId } = await api.start({ ...CALL, workflow });
  const settled = await api.settled(taskId, 20_000, { isQueued: true });
  expect(settled).toMatchObject({ task: { status: "completed" }, stepResults: [{ output }] });
  expect(reads()).toBeGreaterThan(0);
});
