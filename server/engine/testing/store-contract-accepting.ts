import { describe, expect, test } from "vitest";
import type { Db } from "../../storage/db.ts";
import { createEngineStore } from "../../storage/engine/engine-store.ts";
import type { EngineStore, NewTask } from "../store.ts";
import {
  accepted,
  claim,
  DAY,
  ending,
  keyed,
  newTask,
  nextDue,
  NOW,
  parking,
  step,
} from "./store-samples.ts";

/** New tasks: idempotency keys, children, groups. */
export function acceptingContract(openDb: () => Promise<Db>): void {
  const open = async (): Promise<EngineStore> => createEngineStore(await openDb());

  describe("accepting", () => {
    test("stores a task with the results that it copies", async () => {
      const store = await open();
      const entries = [step(1, "a", { output: '{"x":1}' })];
      const task = newTask({ input: { n: 1 }, options: { stepIds: ["b"] }, entries });
      expect(await store.accept(task)).toEqual({ inserted: true });
      expect(await store.task(task.id)).toMatchObject({
        id: task.id,
        input: { n: 1 },
        options: { stepIds: ["b"] },
        status: "running",
      });
      expect(await store.entries(task.id, 0, 10)).toEqual(entries);
      expect(await store.task("task_none")).toBeUndefined();
    });

    test("stores a long input apart from the row, and returns it to every reader", async () => {
      const db = await openDb();
      const store = createEngineStore(db);
      const input = { text: "x".repeat(20_000) };
      const task = newTask({ input, idempotency: keyed("k", "body"), status: "queued", runAt: NOW });
      for (const _twice of [1, 2]) expect(await store.accept(task)).toEqual({ inserted: true });
      // A second request with the same key stores nothing.
      await store.accept(newTask({ input, idempotency: keyed("k", "body") }));
      const rows = await db.query("select task_id from task_input");
      expect(rows).toEqual([{ task_id: task.id }]);
      expect((await store.task(task.id))?.input).toEqual(input);
      const [claimed] = await claim(store, "w", 9, NOW);
      expect(claimed).toMatchObject({ input, inputCharacters: JSON.stringify(input).length });
      expect((await store.recover("all", 2, NOW)).quarantined).toEqual([task.id]);
      expect(await store.claimQuarantined("w", task.id, NOW)).toMatchObject({ input });
      expect((await store.recover("all", 2, NOW)).poisoned).toMatchObject([{ input }]);
    });

    test("the state of a task is read without its large input", async () => {
      const db = await openDb();
      const store = createEngineStore(db);
      const task = newTask({ input: "x".repeat(20_000) });
      await store.accept(task);
      const { input: _input, ...expected } = (await store.task(task.id))!;
      await db.batch([{ sql: "update task_input set input = 'not JSON'" }]);
      await expect(store.task(task.id)).rejects.toThrow();
      expect(await store.state(task.id)).toEqual(expected);
      expect(await store.state("task_none")).toBeUndefined();
    });

    test("a claim does not read a large input that the process knows, and fails a task whose input is missing", async () => {
      const db = await openDb();
      const store = createEngineStore(db);
      const input = "x".repeat(20_000);
      const [known, missing] = [newTask({ input }), newTask({ input })].map((task) => ({
        ...task,
        status: "queued" as const,
        runAt: NOW,
      })) as [NewTask, NewTask];
      for (const task of [known, missing]) await store.accept(task);
      await db.batch([{ sql: "delete from task_input" }]);
      const kept = { input: "kept", inputCharacters: 20_002 };
      const claimed = await store.claimDue("w", [{ ownerId: "user_1", count: 9 }], NOW, undefined, (id) =>
        id === known.id ? kept : undefined,
      );
      expect(claimed).toMatchObject([{ id: known.id, ...kept }]);
      expect((await store.task(missing.id))?.status).toBe("failed");
    });

    test("makes one task of fifty equal concurrent calls", async () => {
      const store = await open();
      const tasks = Array.from({ length: 50 }, () => newTask({ idempotency: keyed("k", "body") }));
      const answers = await Promise.all(tasks.map((task) => store.accept(task)));
      const first = tasks[answers.findIndex(({ inserted }) => inserted)]!;
      expect(answers.filter(({ inserted }) => inserted)).toHaveLength(1);
      for (const answer of answers) {
        if (!answer.inserted) expect(answer).toEqual({ inserted: false, taskId: first.id, bodyHash: "body" });
      }
      const stored = await Promise.all(tasks.map(({ id }) => store.task(id)));
      expect(stored.filter((task) => task !== undefined)).toHaveLength(1);
    });

    test("returns the first body hash, and keeps keys of other endpoints apart", async () => {
      const store = await open();
      const first = newTask({ idempotency: keyed("k", "one") });
      await store.accept(first);
      expect(await store.accept(newTask({ idempotency: keyed("k", "two") }))).toEqual({
        inserted: false,
        taskId: first.id,
        bodyHash: "one",
      });
      const elsewhere = { scope: "other", key: "k", bodyHash: "two" };
      expect(await store.accept(newTask({ idempotency: elsewhere }))).toEqual({ inserted: true });
    });

    test("expires a key after a day, not before", async () => {
      const store = await open();
      await store.accept(newTask({ idempotency: keyed("k", "one") }));
      const late = newTask({ createdAt: NOW + DAY - 1, idempotency: keyed("k", "two") });
      expect(await store.accept(late)).toMatchObject({ inserted: false, bodyHash: "one" });
      const later = newTask({ createdAt: NOW + DAY, idempotency: keyed("k", "two") });
      expect(await store.accept(later)).toEqual({ inserted: true });
      const again = newTask({ createdAt: NOW + DAY + 1, idempotency: keyed("k", "two") });
      expect(await store.accept(again)).toMatchObject({ taskId: later.id, bodyHash: "two" });
    });

    test("accepts the same task again after its first response was lost", async () => {
      const store = await open();
      const child = { parentTaskId: (await accepted(store)).id, parentStep: "sub" };
      for (const task of [newTask(), newTask({ idempotency: keyed("k", "body") }), newTask(child)]) {
        const given = { ...task, entries: [step(1, "a")] };
        expect(await store.accept(given)).toEqual({ inserted: true });
        expect(await store.accept(given)).toEqual({ inserted: true });
        expect(await store.entries(task.id, 0, 9)).toHaveLength(1);
        expect(await store.record({ task, entries: [step(2, "b")] })).toBe(true);
      }
      expect(await store.accept(newTask(child))).toMatchObject({ inserted: false });
    });

    test("accepts many tasks at once, each with its own entries, and reports each by itself", async () => {
      const store = await open();
      const before = newTask({ entries: [step(1, "before")] });
      await store.accept(before);
      await store.accept(newTask({ idempotency: keyed("taken", "one") }));
      const plain = Array.from({ length: 21 }, (_, at) =>
        newTask({ entries: [step(1, `a${at}`), step(2, `b${at}`)] }),
      );
      const refused = newTask({ idempotency: keyed("taken", "two") });
      const parked = newTask();
      const opened = { path: "ask", message: "May it?", context: null, dueAt: null };
      const results = await Promise.all([
        ...plain.slice(0, 10).map((task) => store.accept(task)),
        store.accept({ ...before, entries: [step(1, "other"), step(2, "more")] }),
        store.accept(refused),
        ...plain.slice(10).map((task) => store.accept(task)),
        store.accept(parked, {
          entries: [step(1, "first")],
          change: parking(0, null),
          openApproval: opened,
        }),
      ]);
      const stored = { inserted: true };
      expect(results.filter(({ inserted }) => !inserted)).toEqual([results[11]]);
      expect(results[11]).toMatchObject({ inserted: false, bodyHash: "one" });
      expect([results[0], results[10], results.at(-1)]).toEqual([stored, stored, stored]);
      for (const [at, task] of plain.entries())
        expect(await store.entries(task.id, 0, 9)).toEqual([step(1, `a${at}`), step(2, `b${at}`)]);
      expect((await store.entries(before.id, 0, 9))[0]).toEqual(step(1, "before"));
      expect(await store.task(refused.id)).toBeUndefined();
      expect(await store.openApprovals(parked.id)).toMatchObject([{ path: "ask" }]);
      expect(await store.record({ task: plain[20]!, entries: [step(3, "c")] })).toBe(true);
    });

    test("stores the first write of its run with it: steps, end, or an open approval", async () => {
      const store = await open();
      const parent = await accepted(store, { status: "queued", workerId: null, startedAt: null });
      await store.record({ task: parent, entries: [], change: parking(0, null) });
      const ended = newTask({ parentTaskId: parent.id, parentStep: "sub", entries: [step(1, "given")] });
      const error = { code: "http_error", message: "m", stepId: "a" } as const;
      const first = {
        entries: [step(2, "a")],
        change: ending("failed", { error, completedAt: NOW + 5 }),
        wakeTask: parent.id,
      };
      for (const _twice of [1, 2]) expect(await store.accept(ended, first)).toEqual({ inserted: true });
      expect(await store.task(ended.id)).toMatchObject({ status: "failed", error, completedAt: NOW + 5 });
      expect(await store.entries(ended.id, 0, 9)).toEqual([step(1, "given"), step(2, "a")]);
      expect(await nextDue(store)).toBe(NOW + 5);

      const parked = newTask({ idempotency: keyed("k", "body") });
      const waits = {
        entries: [step(1, "a")],
        change: parking(0, NOW + 9, "waiting_approval"),
        openApproval: { path: "ask", message: "?", context: null, dueAt: null },
      };
      expect(await store.accept(parked, waits)).toEqual({ inserted: true });
      expect(await store.task(parked.id)).toMatchObject({ status: "waiting_approval", completedAt: null });
      expect(await store.openApprovals(parked.id)).toEqual([{ taskId: parked.id, path: "ask" }]);
      // The second call with a key stores nothing of its run.
      const second = newTask({ idempotency: keyed("k", "body") });
      expect(await store.accept(second, { ...waits, wakeTask: parent.id })).toMatchObject({
        inserted: false,
        taskId: parked.id,
      });
      expect(await store.entries(second.id, 0, 9)).toEqual([]);
      expect(await store.openApprovals(second.id)).toEqual([]);
      expect(await store.recover("all", 3, NOW)).toMatchObject({ recovered: 0 });
    });

    test("makes one child per step of a parent, however often it is called", async () => {
      const store = await open();
      const { id } = await accepted(store);
      const child = (): NewTask => newTask({ parentTaskId: id, parentStep: "sub[3]" });
      const [first, second] = [child(), child()];
      expect(await store.accept(first)).toEqual({ inserted: true });
      expect(await store.accept(second)).toMatchObject({ inserted: false, taskId: first.id });
      expect(await store.childId(id, "sub[3]")).toBe(first.id);
      expect(await store.childId(id, "sub")).toBeUndefined();
      expect(await store.accept(newTask({ parentTaskId: id }))).toEqual({ inserted: true });
    });

    test("makes no child for an ended parent, and keeps one made before", async () => {
      const store = await open();
      const parent = await accepted(store);
      const child = { parentTaskId: parent.id, parentStep: "sub" };
      const before = newTask(child);
      expect(await store.accept(before)).toEqual({ inserted: true });
      await store.cancel(parent.id, NOW);
      expect(await store.accept(before)).toEqual({ inserted: true });
      expect(await store.accept(newTask({ ...child, parentStep: "other" }))).toEqual({
        inserted: false,
        taskId: null,
        bodyHash: null,
      });
      // A replay is not a child of the task that it replays.
      expect(await store.accept(newTask({ parentTaskId: parent.id }))).toEqual({ inserted: true });
    });
  });
}
