import { describe, expect, test } from "vitest";
import type { Db } from "../../storage/db.ts";
import { createEngineStore } from "../../storage/engine/engine-store.ts";
import { waitEntry } from "./entry-samples.ts";
import { accepted, nextDue, NOW, parking, queued, step, claim } from "./store-samples.ts";

/** A due time as an older version stored it for a delay of 1e15 seconds. No JavaScript number or date holds it. */
const ABSURD = 1_000_000_000_000_000_001n;

/** Rows that no current version writes: they affect no other task. */
export function badRowsContract(openDb: () => Promise<Db>): void {
  describe("a bad row", () => {
    test("with an absurd due time fails no read, neither its own nor one of the same turn", async () => {
      const db = await openDb();
      const store = createEngineStore(db);
      const [bad, good] = [await accepted(store), await accepted(store)];
      await store.record({ task: bad, entries: [waitEntry({ seq: 1, due: NOW })], change: parking(0, NOW) });
      await store.record({ task: good, entries: [step(1, "a")] });
      await db.batch([
        { sql: `update task set run_at = ${ABSURD} where id = $id`, params: { id: bad.id } },
        { sql: `update journal set due = ${ABSURD} where task_id = $id`, params: { id: bad.id } },
      ]);
      const ids = [bad.id, good.id];
      expect(await Promise.all(ids.map((id) => store.task(id)))).toMatchObject(ids.map((id) => ({ id })));
      expect(await Promise.all(ids.map((id) => store.ownEntries(id)))).toMatchObject([
        [{ kind: "wait", due: Number(ABSURD) }],
        [{ kind: "step", path: "a" }],
      ]);
      expect(await store.heads(bad.id)).toMatchObject([{ kind: "wait" }]);
      expect(await store.entries(bad.id, 0, 9)).toMatchObject([{ kind: "wait" }]);
      expect(await nextDue(store)).toBe(Number(ABSURD));
      expect((await store.cancel(bad.id, NOW)).map(({ taskId }) => taskId)).toEqual([bad.id]);
    });

    test("is failed when it is claimed, and the other tasks of the claim run", async () => {
      const db = await openDb();
      const store = createEngineStore(db);
      const [bad, good] = [queued(NOW - 1), queued(NOW)];
      for (const task of [bad, good]) await store.accept(task);
      await db.batch([{ sql: "update task set input = '{' where id = $id", params: { id: bad.id } }]);
      expect(await claim(store, "w", 9, NOW)).toMatchObject([{ id: good.id, isBlank: true }]);
      expect(await store.ownTasks("w")).toEqual([{ id: good.id, epoch: 2 }]);
      const [row] = await db.query("select status, run_at, worker_id, error from task where id = $id", {
        id: bad.id,
      });
      expect(row).toMatchObject({ status: "failed", run_at: null, worker_id: null });
      expect(row?.["error"]).toContain("internal_error");
      expect(await store.entries(bad.id, 0, 9)).toMatchObject([{ seq: 1, kind: "status", status: "failed" }]);
    });

    test("among tasks that crashed their process does not stop the recovery of the others", async () => {
      const db = await openDb();
      const store = createEngineStore(db);
      const [bad, good] = [await accepted(store), await accepted(store)];
      await db.batch([{ sql: "update task set input = '{' where id = $id", params: { id: bad.id } }]);
      const { poisoned } = await store.recover("all", 1, NOW);
      expect(poisoned.map(({ id }) => id)).toEqual([good.id]);
      expect((await store.recover("all", 1, NOW)).poisoned.map(({ id }) => id)).toEqual([good.id]);
    });
  });
}
