import { expect, test } from "vitest";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { RunSettings } from "../../../contract/workflow-settings.ts";
import { crashingStore } from "../testing/crashing-store.ts";
import { openBench } from "../testing/open-engine.ts";

type Concurrency = NonNullable<RunSettings["concurrency"]>;

const work = { stepId: "work", type: "http", method: "GET", url: "{{input.n}}" };

/** A run of `work` lasts until `finish` is called with its number. */
async function open(concurrency: Partial<Concurrency>) {
  const started: number[] = [];
  const waiting = new Map<number, () => void>();
  const bench = await openBench({
    http: async ({ fields, signal }) => {
      const n = Number(fields["url"]);
      started.push(n);
      await new Promise<void>((resolve, reject) => {
        waiting.set(n, resolve);
        signal.addEventListener("abort", () => reject(new Error("aborted")));
      });
      return { output: n };
    },
  });
  const workflow = {
    ...bench.workflow("wf_1", { steps: [work], edges: [] }),
    settings: { concurrency: { limit: 1, whenFull: "queue" as const, ...concurrency } },
  };
  const engine = await bench.engine();
  return {
    ...bench,
    run: engine,
    started,
    async start(n: number, more: Record<string, JsonValue> = {}, key?: string) {
      const idempotency = key === undefined ? undefined : { scope: "s", key, bodyHash: "" };
      return (await engine.start({ workflow, trigger: "manual", input: { n, ...more }, idempotency })).taskId;
    },
    async finish(n: number) {
      await expect.poll(() => waiting.has(n)).toBe(true);
      waiting.get(n)!();
    },
    async runs(...numbers: number[]) {
      await expect.poll(() => started, { timeout: 5000 }).toEqual(numbers);
    },
    status: async (taskId: string) => (await bench.store.task(taskId))?.status,
    members: () => bench.db.query("select * from run_group_member"),
  };
}

test("queue: a second run waits, and they start in the order in which they came", async () => {
  const { start, runs, finish, status, members } = await open({});
  const ids = [await start(1), await start(2), await start(3)];
  await runs(1);
  expect(await status(ids[1]!)).toBe("queued");
  await finish(1);
  await runs(1, 2);
  await finish(2);
  await runs(1, 2, 3);
  await finish(3);
  await expect.poll(() => status(ids[2]!)).toBe("completed");
  await expect.poll(members).toEqual([]);
});

test("a key counts runs with the same value apart", async () => {
  const { start, started, finish } = await open({ key: "{{input.customer}}" });
  for (const [n, customer] of [
    [1, "a"],
    [2, "a"],
    [3, "b"],
  ] as const)
    await start(n, { customer });
  await expect.poll(() => started.toSorted((a, b) => a - b), { timeout: 5000 }).toEqual([1, 3]);
  await finish(1);
  await expect.poll(() => started.includes(2), { timeout: 5000 }).toBe(true);
});

test("skip: a second run is refused, and the same idempotency key returns the first", async () => {
  const { start, runs, finish, status } = await open({ whenFull: "skip" });
  const first = await start(1, {}, "k");
  await runs(1);
  await expect(start(2)).rejects.toMatchObject({ code: "run_skipped" });
  await expect(start(3, {}, "later")).rejects.toMatchObject({ code: "run_skipped" });
  expect(await start(1, {}, "k")).toBe(first);
  await finish(1);
  await expect.poll(() => status(first)).toBe("completed");
  await expect.poll(() => start(3, {}, "later").catch(() => undefined)).toMatch(/^task_/);
  await runs(1, 3);
});

test("replace: a new run cancels the oldest, and a limit of two keeps two", async () => {
  const { start, runs, status } = await open({ whenFull: "replace", limit: 2 });
  const first = await start(1);
  await runs(1);
  const second = await start(2);
  await runs(1, 2);
  const third = await start(3);
  await runs(1, 2, 3);
  await expect.poll(() => status(first)).toBe("cancelled");
  expect([await status(second), await status(third)]).toEqual(["running", "running"]);
});

test("a cancelled run makes room, whether it runs or waits", async () => {
  const { start, runs, run } = await open({});
  const [first, second] = [await start(1), await start(2), await start(3)];
  await runs(1);
  await run.cancel(second);
  await run.cancel(first);
  await runs(1, 3);
});

test("a run that waits for its turn starts after its process has crashed", async () => {
  const { start, runs, run, engine, started } = await open({});
  await start(1);
  await start(2);
  await runs(1);
  await run.close();
  await engine();
  await expect.poll(() => started.slice(1), { timeout: 5000 }).toEqual([1]);
});

test.each([0, 1])(
  "a process that crashes when a run enters its group (stored: %i) leaves it to the next one",
  async (stored) => {
    const { engine, store, workflow, db } = await openBench();
    const settings = { concurrency: { limit: 1, whenFull: "queue" as const } };
    const pure = {
      ...workflow("wf", { steps: [{ stepId: "a", type: "transform", template: 1 }], edges: [] }),
      settings,
    };
    let crashed = false;
    const one = await engine({
      store: crashingStore(store, { write: 0, stored: stored === 1 }, () => (crashed = true)),
    });
    void one.start({ workflow: pure, trigger: "manual", input: {} });
    await expect.poll(() => crashed).toBe(true);
    await engine();
    await expect
      .poll(() => db.query("select status from task"), { timeout: 5000 })
      .toEqual(stored === 1 ? [{ status: "completed" }] : []);
  },
);

test("two processes never run more members of a group than its limit", async () => {
  let running = 0;
  let most = 0;
  const bench = await openBench({
    async http() {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return { output: null };
    },
  });
  const settings = { concurrency: { limit: 2, whenFull: "queue" as const } };
  const workflow = { ...bench.workflow("wf", { steps: [work], edges: [] }), settings };
  const engines = [await bench.engine({ leaseMs: 10_000 }), await bench.engine({ leaseMs: 10_000 })];
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      engines[n % 2]!.start({ workflow, trigger: "manual", input: { n } }),
    ),
  );
  await expect
    .poll(() => bench.db.query("select count(*) as n from task where status = 'completed'"), {
      timeout: 20_000,
    })
    .toEqual([{ n: expect.toSatisfy((count: unknown) => Number(count) === 20) }]);
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(2);
});
