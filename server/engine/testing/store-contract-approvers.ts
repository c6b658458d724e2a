import { describe, expect, test } from "vitest";
import type { ApprovalDecision } from "../approval-store.ts";
import type { EngineStore, NewTask } from "../store.ts";
import { waitEntry } from "./entry-samples.ts";
import { accepted, claim, decided, ending, NOW, parking, rerun, step } from "./store-samples.ts";

const by = (id: string, more: Partial<ApprovalDecision> = {}): ApprovalDecision => ({
  ...decided("approve"),
  decidedBy: id,
  person: { id, name: id, email: `${id}@example.com` },
  ...more,
});

/** Approvals that need several people. */
export function approversContract(open: () => Promise<EngineStore>): void {
  async function asking(store: EngineStore, requiredApprovals: number): Promise<NewTask> {
    const task = await accepted(store);
    await openAgain(store, task, requiredApprovals, 1);
    await store.record({ task, entries: [], change: parking(task.wake, null, "waiting_approval") });
    return task;
  }

  async function openAgain(
    store: EngineStore,
    task: Parameters<EngineStore["record"]>[0]["task"],
    requiredApprovals: number,
    seq: number,
  ) {
    await store.record({
      task,
      entries: [waitEntry({ seq, path: "ask", at: NOW })],
      openApproval: {
        path: "ask",
        message: "Go?",
        context: null,
        dueAt: null,
        approvers: ["ann@example.com", "role:admin"],
        requiredApprovals,
      },
    });
  }

  describe("an approval of several people", () => {
    test("waits for the last of them, and records who decided, why and how", async () => {
      const store = await open();
      const task = await asking(store, 2);
      expect(await store.approval(task.id, "ask")).toEqual({
        ownerId: "user_1",
        approvers: ["ann@example.com", "role:admin"],
        requiredApprovals: 2,
        decisions: [],
      });
      expect(await store.decide(task.id, "ask", by("ann", { comment: "ok", via: "mcp" }))).toBe(true);
      expect(await store.decision(task.id, "ask")).toBeUndefined();
      expect(await claim(store, "w", 1, NOW)).toEqual([]);
      expect(await store.decide(task.id, "ask", by("bob", { decidedAt: NOW + 1 }))).toBe(true);
      expect(await store.decision(task.id, "ask")).toMatchObject({ decision: "approve", decidedBy: "bob" });
      expect(await claim(store, "w", 1, NOW + 1)).toMatchObject([{ id: task.id }]);
      const [bob, ann] = await store.decisions(task.id, 9);
      expect(ann).toMatchObject({
        path: "ask",
        decision: "approve",
        comment: "ok",
        via: "mcp",
        person: { id: "ann" },
        at: NOW,
      });
      const person = { name: "bob", email: "bob@example.com" };
      expect(bob).toMatchObject({ decidedBy: "bob", via: "page", person, data: { n: 1 } });
      expect(await store.decisions(task.id, 1)).toEqual([bob]);
      expect(await store.decisions(task.id, 9, bob!.id)).toEqual([ann]);
    });

    test("counts one person once, whatever they answer the second time", async () => {
      const store = await open();
      const task = await asking(store, 2);
      expect(await store.decide(task.id, "ask", by("ann"))).toBe(true);
      for (const decision of ["approve", "reject"] as const)
        expect(await store.decide(task.id, "ask", by("ann", { decision, decidedBy: "link" }))).toBe(false);
      expect(await store.decision(task.id, "ask")).toBeUndefined();
      expect(await store.decisions(task.id, 9)).toHaveLength(1);
    });

    test("counts exactly as many as it needs among concurrent ones", async () => {
      const store = await open();
      const tasks: NewTask[] = [];
      for (let i = 0; i < 10; i += 1) tasks.push(await asking(store, 3));
      // By person and not by task, so that decisions of one approval are in flight at the same time.
      const counted = await Promise.all(
        ["a", "b", "c", "a", "d"].flatMap((name) => tasks.map(({ id }) => store.decide(id, "ask", by(name)))),
      );
      expect(counted.filter(Boolean)).toHaveLength(30);
      for (const { id } of tasks) {
        const recorded = await store.decisions(id, 9);
        expect(new Set(recorded.map(({ decidedBy }) => decidedBy)).size).toBe(3);
        expect(await store.decision(id, "ask")).toMatchObject({ decision: "approve" });
      }
    });

    test("ends with one rejection, and with a timeout that is no decision of a person", async () => {
      const store = await open();
      const rejected = await asking(store, 3);
      await store.decide(rejected.id, "ask", by("ann"));
      await store.decide(rejected.id, "ask", by("bob", { decision: "reject" }));
      expect(await store.decision(rejected.id, "ask")).toMatchObject({
        decision: "reject",
        decidedBy: "bob",
      });
      const late = await asking(store, 2);
      await store.decide(late.id, "ask", by("ann"));
      expect(await store.decide(late.id, "ask", decided("timeout"))).toBe(true);
      expect(await store.decision(late.id, "ask")).toMatchObject({ decision: "timeout" });
      expect(await store.decisions(late.id, 9)).toMatchObject([{ decidedBy: "ann" }]);
    });

    test("keeps its decisions after it is closed, and starts again without them after a rerun", async () => {
      const store = await open();
      const task = await asking(store, 2);
      await store.linkApprover(task.id, "ask", { linkId: "old", email: "bob@example.com", createdBy: null });
      const sent = { linkId: "old", attempts: 1, retryAt: null, sentAt: NOW, error: null };
      await store.recordNotice(task.id, "ask", sent);
      await store.decide(task.id, "ask", by("ann"));
      await store.wake(task.id, NOW);
      const [run] = await claim(store, "w", 1, NOW);
      await store.record({
        task: run!,
        entries: [step(2, "ask")],
        closedWaits: ["ask"],
        change: ending("failed"),
      });
      expect(await store.approval(task.id, "ask")).toBeUndefined();
      await store.reopen(task.id, "failed", rerun(3), 1, NOW);
      const [again] = await claim(store, "w", 1, NOW);
      await openAgain(store, again!, 2, 4);
      expect(await store.approval(task.id, "ask")).toMatchObject({ decisions: [] });
      // The email was of the approval before the rerun.
      expect(await store.requestNotices(task.id, "ask", NOW)).toBe(false);
      expect(await store.decide(task.id, "ask", by("ann", { decidedAt: NOW + 1 }))).toBe(true);
      expect(await store.decision(task.id, "ask")).toBeUndefined();
      expect(await store.decisions(task.id, 9)).toHaveLength(2);
    });

    test("has one link per person and creator, which decides only the approval it was made for", async () => {
      const store = await open();
      const task = await asking(store, 2);
      const link = { linkId: "one", email: "ann@example.com", createdBy: null };
      expect(await store.linkApprover(task.id, "ask", link)).toMatchObject({ linkId: "one", attempts: 0 });
      expect(await store.linkApprover(task.id, "ask", { ...link, linkId: "two" })).toMatchObject({
        linkId: "one",
      });
      const shown = { ...link, linkId: "three", createdBy: "admin" };
      expect(await store.linkApprover(task.id, "ask", shown)).toMatchObject({ linkId: "three" });
      await store.recordNotice(task.id, "ask", {
        linkId: "one",
        attempts: 1,
        retryAt: null,
        sentAt: NOW,
        error: null,
      });
      expect(await store.linkApprover(task.id, "ask", link)).toMatchObject({ attempts: 1, sentAt: NOW });
      await store.renewSentNotices(task.id, "ask");
      expect(await store.linkApprover(task.id, "ask", link)).toMatchObject({ round: 1, sentAt: null });
      const again = { linkId: "one", attempts: 2, retryAt: null, sentAt: NOW, error: null };
      await store.recordNotice(task.id, "ask", again);
      await store.renewSentNotices(task.id, "ask");
      expect(await store.linkApprover(task.id, "ask", link)).toMatchObject({ round: 1, sentAt: NOW });
      // A link that was only shown is no email to send again.
      expect(await store.linkApprover(task.id, "ask", shown)).toMatchObject({ attempts: 0 });
      expect(await store.requestNotices(task.id, "other", NOW)).toBe(false);
      // The task wakes up in the same write, or a crash in between would leave the email unsent.
      expect(await claim(store, "w", 1, NOW)).toEqual([]);
      expect(await store.requestNotices(task.id, "ask", NOW)).toBe(true);
      expect(await claim(store, "w", 1, NOW)).toMatchObject([{ id: task.id }]);
      expect(await store.linkApprover(task.id, "ask", link)).toMatchObject({ round: 2, sentAt: null });
      expect(await store.requestNotices(task.id, "ask", NOW)).toBe(true);
      expect(await store.linkApprover(task.id, "ask", link)).toMatchObject({ round: 2 });
      expect(await store.linkApprover(task.id, "ask", shown)).toMatchObject({ attempts: 0 });
      expect(await store.decide(task.id, "ask", by("ann"), "unknown")).toBe(false);
      expect(await store.decide(task.id, "ask", by("ann"), "three")).toBe(true);
      // Ann has decided: nobody else has an email.
      expect(await store.requestNotices(task.id, "ask", NOW)).toBe(false);
      expect(await store.decide(task.id, "ask", by("bob"), "one")).toBe(true);
      expect((await store.decisions(task.id, 9)).map(({ linkCreatedBy }) => linkCreatedBy)).toEqual([
        null,
        "admin",
      ]);
      expect(await store.linkApprover(task.id, "ask", link)).toBeUndefined();
    });
  });
}
