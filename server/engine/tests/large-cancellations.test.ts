import { expect, test } from "vitest";
import type { EngineStore } from "../store.ts";
import { accepted, DAY, newTask } from "../testing/store-samples.ts";
import { openBench } from "../testing/open-engine.ts";

const CHILDREN = 450;

/** A task that waits for hundreds of others. */
async function open() {
  const bench = await openBench();
  bench.workflow("wf_1", { steps: [{ stepId: "a", type: "transform", template: 1 }], edges: [] });
  const parked = { status: "queued", workerId: null, runAt: Date.now() + DAY } as const;
  const root = await accepted(bench.store, parked);
  const child = (n: number) =>
    newTask({ ...parked, parentTaskId: root.id, parentStep: `each[${n}]`, rootTaskId: root.id, depth: 1 });
  const children = Array.from({ length: CHILDREN }, (_, n) => child(n));
  await Promise.all(children.map((task) => bench.store.accept(task)));
  const sizes: number[] = [];
  const counting: EngineStore = {
    ...bench.store,
    async cancel(...call) {
      const ended = await bench.store.cancel(...call);
      sizes.push(ended.length);
      return ended;
    },
    async cancelDescendants(...call) {
      const ended = await bench.store.cancelDescendants(...call);
      sizes.push(ended.length);
      return ended;
    },
  };
  const statuses = async () =>
    Object.fromEntries(
      (await bench.db.query("select status, count(*) as n from task group by status")).map((row) => [
        row["status"],
        Number(row["n"]),
      ]),
    );
  return { ...bench, root, counting, sizes, statuses };
}

test("a run with hundreds of open tasks is cancelled in small writes, itself last", async () => {
  const { engine, counting, root, sizes, statuses } = await open();
  const one = await engine({ store: counting });
  expect(await one.cancel(root.id)).toBe(true);
  expect(await statuses()).toEqual({ cancelled: CHILDREN + 1 });
  expect(sizes).toEqual([200, 200, 50, 1]);
  expect(await one.cancel(root.id)).toBe(false);
  await one.close();
});

test("a cancellation that a crash interrupts leaves the run due, and can be repeated", async () => {
  const { engine, counting, db, root, sizes, statuses } = await open();
  let writes = 0;
  const crashing: EngineStore = {
    ...counting,
    cancelDescendants: (...call) =>
      writes++ === 1 ? Promise.reject(new Error("crashed")) : counting.cancelDescendants(...call),
  };
  const first = await engine({ store: crashing });
  await expect(first.cancel(root.id)).rejects.toThrow("crashed");
  expect(await statuses()).toEqual({ queued: CHILDREN - 199, cancelled: 200 });
  const [row] = await db.query("select run_at, worker_id from task where id = $id", { id: root.id });
  expect(row?.["worker_id"]).toBeNull();
  // Sooner than it was due before: as soon as the cancellation would have ended.
  expect(Number(row?.["run_at"])).toBeLessThan(Date.now() + 60_000);
  await first.close();
  const second = await engine();
  expect(await second.cancel(root.id)).toBe(true);
  expect(await statuses()).toEqual({ cancelled: CHILDREN + 1 });
  expect(Math.max(...sizes)).toBeLessThanOrEqual(200);
});
