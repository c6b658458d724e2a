import { describe, expect, test } from "vitest";
import { itemsEntry } from "./entry-samples.ts";
import type { EngineStore } from "../store.ts";
import type { OwnerCount } from "../task-queue.ts";
import { createFailTask, type FailTask } from "../tasks/fail-task.ts";
import { accepted, claim, DAY, ending, nextDue, NOW, parking, queued, rerun, step } from "./store-samples.ts";

/** Ownership of tasks: claiming, waking, recovering, reopening. */
export function claimingContract(open: () => Promise<EngineStore>): void {
  describe("claiming", () => {
    test("gives each due task to one of many claimers, the longest due first, with a higher epoch", async () => {
      const store = await open();
      const tasks = Array.from({ length: 40 }, (_, i) => queued(NOW - i));
      await Promise.all(tasks.map((task) => store.accept(task)));
      const claims = await Promise.all(Array.from({ length: 10 }, (_, i) => claim(store, `w${i}`, 6, NOW)));
      const ids = claims.flat().map(({ id }) => id);
      expect(ids).toHaveLength(40);
      expect(new Set(ids).size).toBe(40);
      expect(claims.flat().every(({ epoch }) => epoch === 2)).toBe(true);
      expect(await claim(store, "w", 6, NOW)).toEqual([]);
    });

    test("is preceded by a count of the longest due tasks by owner that stops at its limit", async () => {
      const store = await open();
      expect(await store.pollDue(9, NOW)).toEqual({ due: [], next: null });
      for (const runAt of [NOW - 3, NOW - 2, NOW + 1]) await store.accept(queued(runAt));
      await store.accept({ ...queued(NOW - 1), ownerId: "user_2" });
      const { due, next } = await store.pollDue(9, NOW);
      expect(next).toBe(NOW + 1);
      expect(due.sort(byOwner)).toEqual([
        { ownerId: "user_1", count: 2 },
        { ownerId: "user_2", count: 1 },
      ]);
      expect(await store.pollDue(2, NOW)).toEqual({ due: [{ ownerId: "user_1", count: 2 }], next: NOW + 1 });
      expect(await store.pollDue(9, NOW, "session")).toEqual({ due: [], next: null });
    });

    test("finds every owner with due tasks behind the many tasks of another", async () => {
      const store = await open();
      const owners = Array.from({ length: 150 }, (_, i) => `user_${i + 100}`);
      await Promise.all(owners.map((ownerId) => store.accept({ ...queued(NOW), ownerId })));
      await Promise.all(
        Array.from({ length: 30 }, () => store.accept({ ...queued(NOW - 9), ownerId: "user_0" })),
      );
      await store.accept({ ...queued(NOW + 1), ownerId: "user_later" });
      const found = [];
      let after = "";
      do {
        const { due, lastOwner } = await store.furtherDueOwners(after, NOW);
        found.push(...due);
        after = lastOwner;
      } while (after !== "");
      expect(found.map(({ ownerId }) => ownerId)).toEqual(["user_0", ...owners]);
      expect(found[0]!.count).toBeGreaterThan(1);
      expect(found.slice(1).every(({ count }) => count === 1)).toBe(true);
      expect(await store.furtherDueOwners("", NOW, "session")).toEqual({ due: [], lastOwner: "" });
    });

    test("takes of each owner the number that is given, the longest due first", async () => {
      const store = await open();
      const mine = [queued(NOW - 1), queued(NOW - 3), queued(NOW - 2)];
      for (const task of mine) await store.accept(task);
      const other = { ...queued(NOW), ownerId: "user_2" };
      await store.accept(other);
      const shares = [
        { ownerId: "user_1", count: 2 },
        { ownerId: "user_2", count: 2 },
        { ownerId: "user_3", count: 2 },
      ];
      const claimed = await store.claimDue("w", shares, NOW);
      expect(new Set(claimed.map(({ id }) => id))).toEqual(new Set([mine[1]!.id, mine[2]!.id, other.id]));
    });

    test("skips tasks that are not due and returns when the next is", async () => {
      const store = await open();
      expect(await nextDue(store)).toBeNull();
      const [early, late] = [queued(NOW), queued(NOW + 500)];
      await store.accept(late);
      await store.accept(early);
      expect(await nextDue(store)).toBe(NOW);
      expect(await store.pollDue(9, NOW)).toMatchObject({ next: NOW + 500 });
      expect(await store.pollDue(9, NOW + 500)).toMatchObject({ next: null });
      expect((await claim(store, "w", 9, NOW)).map(({ id }) => id)).toEqual([early.id]);
      expect(await nextDue(store)).toBe(NOW + 500);
      expect(await store.task(early.id)).toMatchObject({ status: "running", startedAt: NOW });
    });
  });

  test("a process reads the tasks that are leased to it", async () => {
    const store = await open();
    const mine = await accepted(store, { workerId: "me" });
    await accepted(store, { workerId: "another" });
    const parked = await accepted(store, { workerId: "me" });
    await store.record({ task: parked, entries: [], change: parking(parked.wake, null) });
    expect(await store.ownTasks("me")).toEqual([{ id: mine.id, epoch: mine.epoch }]);
  });

  describe("waking", () => {
    test("after parking makes the task due at once", async () => {
      const store = await open();
      const task = await accepted(store);
      await store.record({ task, entries: [], change: parking(task.wake, NOW + DAY) });
      expect(await store.task(task.id)).toMatchObject({ status: "waiting" });
      expect(await claim(store, "w", 1, NOW)).toEqual([]);
      await store.wake(task.id, NOW);
      expect(await claim(store, "w", 1, NOW)).toMatchObject([{ id: task.id, wake: 1 }]);
    });

    test("before parking keeps the task from parking", async () => {
      const store = await open();
      const task = await accepted(store);
      await store.wake(task.id, NOW);
      await store.record({ task, entries: [], change: parking(task.wake, null) });
      const [again] = await claim(store, "w", 1, NOW);
      expect(again).toMatchObject({ id: task.id, wake: 1 });
      await store.record({ task: again!, entries: [], change: parking(again!.wake, null) });
      expect(await claim(store, "w", 1, NOW)).toEqual([]);
    });

    test("does nothing to an ended task, and the end of a child wakes its parent", async () => {
      const store = await open();
      const parent = await accepted(store);
      const child = await accepted(store, { parentTaskId: parent.id, parentStep: "sub" });
      await store.record({ task: parent, entries: [], change: parking(parent.wake, null) });
      await store.record({
        task: child,
        entries: [step(1, "a")],
        change: ending("completed"),
        wakeTask: parent.id,
      });
      expect(await claim(store, "w", 9, NOW)).toMatchObject([{ id: parent.id }]);
      await store.wake(child.id, NOW);
      expect(await store.task(child.id)).toMatchObject({ status: "completed" });
      expect(await claim(store, "w", 9, NOW)).toEqual([]);
    });
  });

  describe("recovering", () => {
    test("makes tasks of a dead process due and poisons one that crashed three times without progress", async () => {
      const store = await open();
      const task = await accepted(store);
      const waiting = await accepted(store);
      await store.record({ task: waiting, entries: [], change: parking(0, null) });
      for (const [suspected, expected] of [
        [[], []],
        [[task.id], []],
        [[], [task.id]],
      ]) {
        const { poisoned, quarantined, recovered } = await store.recover("all", 3, NOW);
        expect(recovered).toBe(1);
        expect(quarantined).toEqual(suspected);
        expect(poisoned.map(({ id }) => id)).toEqual(expected);
        const due = await claim(store, "w", 9, NOW);
        expect(due.map(({ id }) => id)).toEqual(quarantined.length + poisoned.length > 0 ? [] : [task.id]);
        for (const id of quarantined)
          expect(await store.claimQuarantined("w", id, NOW)).toMatchObject({ id });
        for (const id of quarantined) expect(await store.claimQuarantined("w", id, NOW)).toBeUndefined();
      }
    });

    test("returns a poisoned task again when failing it was interrupted", async () => {
      const store = await open();
      const task = await accepted(store);
      for (let crash = 0; crash < 2; crash += 1) {
        await store.recover("all", 3, NOW);
        await claim(store, "w", 9, NOW);
      }
      await store.claimQuarantined("w", task.id, NOW);
      const [poisoned] = (await store.recover("all", 3, NOW)).poisoned;
      expect((await store.recover("all", 3, NOW)).poisoned).toEqual([poisoned]);
      await store.record({ task: poisoned!, entries: [], change: ending("failed") });
      expect((await store.recover("all", 3, NOW)).poisoned).toEqual([]);
    });

    test("stores one end when two processes fail a poisoned task at once", async () => {
      const store = await open();
      for (let paused = 1; paused <= 6; paused += 1) {
        const task = await accepted(store);
        const failOn = (own: EngineStore): Promise<void> =>
          failTaskOn(own)(task, { code: "poison_task", message: "Three crashes." });
        // The second process does all of its work before this call of the first.
        let calls = 0;
        const first = new Proxy(store, {
          get(target, name: keyof EngineStore) {
            const call = target[name] as (...args: unknown[]) => Promise<unknown>;
            return async (...args: unknown[]): Promise<unknown> => {
              calls += 1;
              if (calls === paused) await failOn(store);
              return call.apply(target, args);
            };
          },
        });
        await failOn(first);
        if (calls < paused) await failOn(store);
        expect(await store.heads(task.id), `call ${paused}`).toMatchObject([{ seq: 1, kind: "status" }]);
      }
    });

    test("resets the crash count after progress", async () => {
      const store = await open();
      const task = await accepted(store);
      for (let crash = 1; crash <= 5; crash += 1) {
        await store.record({ task, entries: [step(crash, `s${crash}`)] });
        expect((await store.recover("all", 3, NOW)).poisoned).toEqual([]);
        const [claimed] = await claim(store, "w", 1, NOW);
        expect(claimed!.epoch).toBeGreaterThan(task.epoch);
        Object.assign(task, claimed);
      }
    });

    test("poisons a recursive run after the second crash with many of its tasks, and no other run", async () => {
      const store = await open();
      const recursive = await accepted(store, { workflowId: "wf_loop" });
      const plain = await accepted(store, { workflowId: "wf_plain" });
      let step = 0;
      for (const expected of [[], [recursive.id]]) {
        for (const [root, workflowId] of [
          [recursive, "wf_loop"],
          [plain, "wf_called"],
        ] as const) {
          for (let i = 0; i < 12; i += 1)
            await accepted(store, {
              workflowId,
              parentTaskId: root.id,
              parentStep: `each[${(step += 1)}]`,
              rootTaskId: root.id,
            });
        }
        const { poisoned } = await store.recover("all", 3, NOW);
        expect(poisoned.map(({ id }) => id)).toEqual(expected);
        await claim(store, "w", 100, NOW);
      }
    });

    test("a heartbeat counts the processes that are alive, and the others that have slots", async () => {
      const store = await open();
      const beat = (id: string, now: number, slots: number) =>
        store.heartbeat(id, now, { slots, aliveSince: now - 100 });
      expect(await beat("worker_1", NOW, 5)).toEqual({ processes: 1, workers: 0 });
      expect(await beat("api_1", NOW, 0)).toEqual({ processes: 2, workers: 1 });
      expect(await beat("worker_2", NOW + 10, 5)).toEqual({ processes: 3, workers: 1 });
      expect(await beat("worker_1", NOW + 20, 5)).toEqual({ processes: 3, workers: 1 });
      expect(await beat("worker_1", NOW + 200, 5)).toEqual({ processes: 1, workers: 0 });
    });

    test("leaves tasks of processes with a recent heartbeat alone", async () => {
      const store = await open();
      await store.heartbeat("worker_1", NOW);
      await store.heartbeat("worker_1", NOW + 1000);
      const mine = await accepted(store);
      const silent = await accepted(store, { workerId: "worker_gone" });
      expect(await store.recover(NOW + 500, 3, NOW)).toMatchObject({ recovered: 1 });
      expect(await claim(store, "w", 9, NOW)).toMatchObject([{ id: silent.id }]);
      expect(await store.record({ task: silent, entries: [step(1, "late")] })).toBe(false);
      expect(await store.record({ task: mine, entries: [step(1, "a")] })).toBe(true);
    });

    test("a release makes tasks due without counting a crash", async () => {
      const store = await open();
      const task = await accepted(store);
      for (let i = 0; i < 4; i += 1) {
        await store.release(i === 0 ? "worker_1" : "w", NOW);
        expect(await claim(store, "w", 9, NOW)).toMatchObject([{ id: task.id }]);
      }
      expect((await store.recover("all", 3, NOW)).poisoned).toEqual([]);
      expect(await store.record({ task, entries: [step(1, "a")] })).toBe(false);
    });
  });

  describe("opening again", () => {
    test("happens once, from the expected status", async () => {
      const store = await open();
      const task = await accepted(store);
      await store.record({
        task,
        entries: [step(1, "a")],
        change: ending("failed", { error: { code: "http_error", message: "m" } }),
      });
      expect(await store.reopen(task.id, "completed", rerun(2), 1, NOW)).toBe(false);
      const answers = await Promise.all(
        [1, 2, 3].map(() => store.reopen(task.id, "failed", rerun(2), 4, NOW)),
      );
      expect(answers.filter(Boolean)).toHaveLength(1);
      expect(await store.task(task.id)).toMatchObject({
        status: "queued",
        error: null,
        completedAt: null,
        workflowVersion: 4,
      });
      expect(await store.entries(task.id, 1, 9)).toMatchObject([{ seq: 2, kind: "rerun", cleared: ["a"] }]);
      expect(await claim(store, "w", 9, NOW)).toMatchObject([{ id: task.id, workflowVersion: 4 }]);
    });

    test("leaves the tasks of a restarted loop behind, and no other", async () => {
      const store = await open();
      const task = await accepted(store);
      const steps = ["each[0]", "each[1]/call", "call", "each[a]"];
      for (const parentStep of steps) await accepted(store, { parentTaskId: task.id, parentStep });
      await store.record({ task, entries: [], change: ending("failed") });
      const entry = { ...rerun(1), restarted: ["each"] };
      expect(await store.reopen(task.id, "failed", entry, 2, NOW)).toBe(true);
      expect(await store.entries(task.id, 0, 9)).toEqual([entry]);
      const children = await Promise.all(steps.map((step) => store.childId(task.id, step)));
      expect(children.map((id) => id !== undefined)).toEqual([false, false, true, true]);
    });

    test("reads the list that a loop has fixed last", async () => {
      const store = await open();
      const task = await accepted(store);
      const entries = [itemsEntry({ seq: 1, output: "[1]" }), itemsEntry({ seq: 2, output: "[2]" })];
      await store.record({ task, entries });
      expect(await store.items(task.id, "each")).toMatchObject({ output: "[2]" });
    });
  });
}

function failTaskOn(store: EngineStore): FailTask {
  return createFailTask({
    store,
    clock: { now: () => NOW, monotonic: () => NOW },
    publish: () => undefined,
    wake: () => undefined,
    cancelDescendants: () => Promise.resolve(),
    beforeFail: undefined,
    errorOwners: new Set(),
    observer: undefined,
    traceEnd: undefined,
  });
}

function byOwner(a: OwnerCount, b: OwnerCount): number {
  return a.ownerId < b.ownerId ? -1 : 1;
}
