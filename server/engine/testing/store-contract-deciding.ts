import { describe, expect, test } from "vitest";
import type { EngineStore, NewTask } from "../store.ts";
import { accepted, decided, ending, NOW, parking, rerun, step, claim } from "./store-samples.ts";
import { waitEntry } from "./entry-samples.ts";

/** Operations of users: deciding and cancelling. */
export function decidingContract(open: () => Promise<EngineStore>): void {
  describe("failing a task with all that it started", () => {
    test("ends a limited number at a time, the first task first", async () => {
      const store = await open();
      const root = await accepted(store);
      const other = await accepted(store);
      const children = [];
      for (const parentStep of ["a", "b", "c"])
        children.push(
          await accepted(store, { parentTaskId: root.id, parentStep, rootTaskId: root.id, depth: 1 }),
        );
      await store.record({ task: children[0]!, entries: [], change: ending("completed") });
      const error = { code: "limit_reached", message: "m" } as const;
      const first = await store.failTree(root.id, error, 2, NOW);
      expect(first.find(({ taskId }) => taskId === root.id)).toMatchObject({
        entry: { status: "failed", error },
      });
      expect(first).toHaveLength(2);
      const second = await store.failTree(root.id, error, 2, NOW);
      expect(second).toMatchObject([{ entry: { status: "cancelled", error: null } }]);
      expect(await store.failTree(root.id, error, 2, NOW)).toEqual([]);
      expect(await store.task(root.id)).toMatchObject({ status: "failed", error });
      expect(await store.task(children[0]!.id)).toMatchObject({ status: "completed" });
      expect(await store.task(children[2]!.id)).toMatchObject({ status: "cancelled" });
      expect(await store.task(other.id)).toMatchObject({ status: "running" });
      expect(await store.record({ task: root, entries: [step(1, "late")] })).toBe(false);
    });
  });

  describe("asking for a retry", () => {
    test("makes a parked task due with the requests of both callers, and does nothing to an ended one", async () => {
      const store = await open();
      const task = await accepted(store);
      await store.record({ task, entries: [], change: parking(task.wake, NOW + 60_000, "waiting") });
      const [first, second] = [{ path: "each[1]/a", at: NOW }, { at: NOW + 1 }];
      expect(await Promise.all([first, second].map((one) => store.requestRetry(task.id, one)))).toEqual([
        true,
        true,
      ]);
      const [claimed] = await claim(store, "w", 1, NOW + 1);
      expect(claimed).toMatchObject({ id: task.id });
      expect(claimed!.retryRequests).toEqual(expect.arrayContaining([first, second]));
      await store.record({ task: claimed!, entries: [], change: ending("completed") });
      expect(await store.requestRetry(task.id, first)).toBe(false);
    });
  });

  describe("deciding", () => {
    async function asking(store: EngineStore, more: Partial<NewTask> = {}): Promise<NewTask> {
      const task = await accepted(store, more);
      await store.record({
        task,
        entries: [waitEntry({ seq: 1, path: "ask", at: NOW })],
        openApproval: { path: "ask", message: "Go?", context: null, dueAt: null },
      });
      await store.record({ task, entries: [], change: parking(task.wake, null, "waiting_approval") });
      return task;
    }

    test("counts once among many concurrent ones and wakes the task", async () => {
      const store = await open();
      const task = await asking(store);
      const decisions = await Promise.all(
        ["approve", "reject", "approve", "timeout"].map((decision) =>
          store.decide(task.id, "ask", decided(decision as "approve")),
        ),
      );
      expect(decisions.filter(Boolean)).toHaveLength(1);
      const chosen = (["approve", "reject", "approve", "timeout"] as const)[decisions.indexOf(true)]!;
      expect(await store.decision(task.id, "ask")).toEqual(decided(chosen));
      expect(await claim(store, "w", 1, NOW)).toMatchObject([{ id: task.id }]);
      expect(await store.openApprovals(task.id)).toEqual([]);
    });

    test("is refused where no approval is open, and is gone once consumed", async () => {
      const store = await open();
      const task = await asking(store);
      expect(await store.decide(task.id, "other", decided("approve"))).toBe(false);
      expect(await store.decision(task.id, "ask")).toBeUndefined();
      await store.decide(task.id, "ask", decided("approve"));
      const [run] = await claim(store, "w", 1, NOW);
      await store.record({ task: run!, entries: [step(2, "ask")], closedWaits: ["ask"] });
      expect(await store.decision(task.id, "ask")).toBeUndefined();
    });

    test("with a link is refused when the approval has another link, as after a rerun", async () => {
      const store = await open();
      const task = await asking(store);
      await store.linkApproval(task.id, "ask", "current-link");
      expect(await store.decide(task.id, "ask", decided("approve"), "earlier-link")).toBe(false);
      expect(await store.decision(task.id, "ask")).toBeUndefined();
      expect(await store.decide(task.id, "ask", decided("approve"), "current-link")).toBe(true);
    });

    test("is refused for an ended task, and possible again after it is reopened", async () => {
      const store = await open();
      const task = await asking(store);
      await store.wake(task.id, NOW);
      const [run] = await claim(store, "w", 1, NOW);
      await store.record({ task: run!, entries: [step(2, "b")], change: ending("failed") });
      expect(await store.openApprovals(task.id)).toEqual([]);
      expect(await store.decide(task.id, "ask", decided("approve"))).toBe(false);
      await store.reopen(task.id, "failed", rerun(3), 1, NOW);
      expect(await store.decide(task.id, "ask", decided("approve"))).toBe(true);
    });

    test("lists approvals of sub-workflows, too, after the task's own", async () => {
      const store = await open();
      const parent = await asking(store);
      const child = await asking(store, { parentTaskId: parent.id, parentStep: "sub" });
      expect(await store.openApprovals(parent.id)).toEqual([
        { taskId: parent.id, path: "ask" },
        { taskId: child.id, path: "ask" },
      ]);
    });
  });

  describe("cancelling", () => {
    test("ends the task and its children, and nothing else", async () => {
      const store = await open();
      const root = await accepted(store);
      const child = await accepted(store, { parentTaskId: root.id, parentStep: "sub" });
      const grandchild = await accepted(store, { parentTaskId: child.id, parentStep: "sub" });
      const finished = await accepted(store, { parentTaskId: root.id, parentStep: "other" });
      const replay = await accepted(store, { parentTaskId: root.id });
      await store.record({ task: root, entries: [step(1, "a")] });
      await store.record({ task: finished, entries: [step(1, "a")], change: ending("completed") });
      const cancelled = await store.cancel(root.id, NOW + 1);
      expect(cancelled.map(({ taskId }) => taskId).toSorted()).toEqual(
        [root.id, child.id, grandchild.id].toSorted(),
      );
      expect(cancelled.find(({ taskId }) => taskId === root.id)?.entry).toMatchObject({
        seq: 2,
        kind: "status",
        status: "cancelled",
      });
      expect(await store.task(finished.id)).toMatchObject({ status: "completed" });
      expect(await store.task(replay.id)).toMatchObject({ status: "running" });
      expect(await store.task(grandchild.id)).toMatchObject({ status: "cancelled", completedAt: NOW + 1 });
      expect(await store.record({ task: root, entries: [step(2, "b")] })).toBe(false);
      expect(await store.cancel(root.id, NOW + 1)).toEqual([]);
      expect(await store.entries(root.id, 0, 9)).toHaveLength(2);
    });

    test("reaches tasks below an ended one, and stops at one that continues without its parent", async () => {
      const store = await open();
      const root = await accepted(store);
      const ended = await accepted(store, { parentTaskId: root.id, parentStep: "ended" });
      const below = await accepted(store, { parentTaskId: ended.id, parentStep: "sub" });
      const free = await accepted(store, {
        parentTaskId: root.id,
        parentStep: "free",
        onParentEnd: "continue",
      });
      const belowFree = await accepted(store, { parentTaskId: free.id, parentStep: "sub" });
      await store.record({ task: ended, entries: [], change: ending("failed") });
      const cancelled = await store.cancel(root.id, NOW + 1);
      expect(cancelled.map(({ taskId }) => taskId).toSorted()).toEqual([root.id, below.id].toSorted());
      expect(await store.task(ended.id)).toMatchObject({ status: "failed" });
      for (const { id } of [free, belowFree])
        expect(await store.task(id)).toMatchObject({ status: "running" });
    });

    test("of the tasks below one leaves it as it is, and is refused when it has a newer epoch", async () => {
      const store = await open();
      const root = await accepted(store);
      const child = await accepted(store, { parentTaskId: root.id, parentStep: "sub" });
      await store.record({
        task: child,
        entries: [step(1, "q")],
        openApproval: { path: "q", message: "?", context: null, dueAt: null },
      });
      const grandchild = await accepted(store, { parentTaskId: child.id, parentStep: "sub" });
      expect(await store.cancelDescendants({ id: root.id, epoch: root.epoch - 1 }, 9, NOW)).toEqual([]);
      expect(await store.task(child.id)).toMatchObject({ status: "running" });
      const cancelled = await store.cancelDescendants(root, 9, NOW + 1);
      expect(cancelled.map(({ taskId }) => taskId).toSorted()).toEqual([child.id, grandchild.id].toSorted());
      expect(await store.openApprovals(child.id)).toEqual([]);
      expect(await store.cancelDescendants(root, 9, NOW + 1)).toEqual([]);
      expect(await store.record({ task: root, entries: [step(1, "a")] })).toBe(true);
    });

    test("of many tasks takes those nearest to the task first, as many as the limit", async () => {
      const store = await open();
      const root = await accepted(store);
      const child = await accepted(store, { parentTaskId: root.id, parentStep: "sub", depth: 1 });
      await store.record({
        task: child,
        entries: [step(1, "q")],
        openApproval: { path: "q", message: "?", context: null, dueAt: null },
      });
      const deeper = { parentTaskId: child.id, depth: 2 };
      const below = [
        await accepted(store, { ...deeper, parentStep: "a" }),
        await accepted(store, { ...deeper, parentStep: "b" }),
      ];
      expect(await store.cancelDescendants({ id: root.id, epoch: root.epoch - 1 }, 2, NOW)).toEqual([]);
      const first = await store.cancelDescendants(root, 2, NOW + 1);
      expect(first.map(({ taskId }) => taskId).toSorted()).toEqual([child.id, below[0]!.id].toSorted());
      expect(first.find(({ taskId }) => taskId === child.id)?.entry).toMatchObject({
        seq: 2,
        status: "cancelled",
      });
      expect(await store.openApprovals(child.id)).toEqual([]);
      expect(await store.record({ task: child, entries: [step(2, "r")] })).toBe(false);
      const rest = await store.cancelDescendants(root, 2, NOW + 2);
      expect(rest.map(({ taskId }) => taskId)).toEqual([below[1]!.id]);
      expect(await store.record({ task: root, entries: [step(1, "a")] })).toBe(true);
    });

    test("holds a task with many others below it: its run records nothing, and it is due again later", async () => {
      const store = await open();
      const root = await accepted(store);
      await accepted(store, { parentTaskId: root.id, parentStep: "sub", depth: 1 });
      expect(await store.hold(root.id, 2, NOW + 5)).toBeUndefined();
      expect(await store.record({ task: root, entries: [step(1, "a")] })).toBe(true);
      const held = await store.hold(root.id, 1, NOW + 5);
      expect(held).toEqual({ id: root.id, epoch: root.epoch + 1 });
      expect(await store.record({ task: root, entries: [step(2, "b")] })).toBe(false);
      expect(await claim(store, "w", 9, NOW + 4)).toEqual([]);
      expect(await claim(store, "w", 9, NOW + 5)).toMatchObject([{ id: root.id }]);
      await store.cancel(root.id, NOW + 6);
      expect(await store.hold(root.id, 0, NOW + 7)).toBeUndefined();
    });

    test("of a child wakes its waiting parent and closes its approvals", async () => {
      const store = await open();
      const parent = await accepted(store);
      const child = await accepted(store, { parentTaskId: parent.id, parentStep: "sub" });
      await store.record({
        task: child,
        entries: [step(1, "q")],
        openApproval: { path: "q", message: "?", context: null, dueAt: null },
      });
      await store.record({ task: parent, entries: [], change: parking(parent.wake, null) });
      await store.cancel(child.id, NOW);
      expect(await claim(store, "w", 9, NOW)).toMatchObject([{ id: parent.id }]);
      expect(await store.decide(child.id, "q", decided("approve"))).toBe(false);
    });
  });
}
