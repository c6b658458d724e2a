import { describe, expect, test } from "vitest";
import type { Db } from "../../storage/db.ts";
import { createEngineStore } from "../../storage/engine/engine-store.ts";
import type { EngineStore } from "../store.ts";
import { attemptEntry, itemsEntry, pathOf, rerunEntry, statusEntry, waitEntry } from "./entry-samples.ts";
import { accepted, claim, DAY, ending, keyed, newTask, NOW, parking, step } from "./store-samples.ts";

/** The journal: entries, fenced writes, groups of writes, reads. */
export function recordingContract(openDb: () => Promise<Db>): void {
  const open = async (): Promise<EngineStore> => createEngineStore(await openDb());

  describe("recording", () => {
    test("keeps whole entries in order, and heads without payload", async () => {
      const store = await open();
      const task = await accepted(store);
      const full = step(1, "a", {
        input: '{"i":1}',
        output: '"o"',
        outputRef: "r/1",
        error: { code: "http_error", message: "m" },
        extra: { response: { status: 200 } },
        startedAt: 5,
        final: true,
        attempt: 3,
      });
      const steering = step(2, "c", { type: "condition", output: "true" });
      const rest = [
        attemptEntry({ seq: 3, due: 7, extra: { usage: {} } }),
        waitEntry({ seq: 4, status: "waiting_approval", due: 8, input: "{}", startedAt: 5 }),
        itemsEntry({ seq: 5, outputRef: "r/2" }),
        rerunEntry({ seq: 6, status: "waiting", cleared: ["each[0]/x"] }),
        statusEntry({ seq: 7, status: "failed", error: { code: "http_error", message: "m", stepId: "a" } }),
      ];
      expect(await store.record({ task, entries: [full, steering, ...rest] })).toBe(true);
      expect(await store.entries(task.id, 0, 10)).toEqual([full, steering, ...rest]);
      expect(await store.entries(task.id, 1, 1)).toEqual([steering]);
      expect(await store.entries(task.id, 0, 1)).toEqual([full]);
      expect(await store.heads(task.id)).toMatchObject([
        { seq: 1, output: null, outputRef: "r/1", final: true },
        { seq: 2, output: "true" },
        { seq: 3, due: 7, error: { code: "http_error" } },
        { seq: 4, status: "waiting_approval", due: 8, startedAt: 5 },
        { seq: 5, kind: "items" },
        { seq: 6, cleared: ["each[0]/x"] },
        { seq: 7, status: "failed", error: { stepId: "a" } },
      ]);
      expect(await store.heads(task.id, 1, 1)).toMatchObject([{ seq: 2 }]);
      expect(await store.heads(task.id, 0, 1)).toMatchObject([{ seq: 1 }]);
    });

    test("stores nothing of a stale epoch, also in a group with valid writes", async () => {
      const store = await open();
      const [mine, lost, other] = [await accepted(store), await accepted(store), await accepted(store)];
      await store.release("worker_1", NOW);
      const task = (await claim(store, "worker_2", 10, NOW)).find(({ id }) => id === mine.id);
      const answers = await Promise.all([
        store.record({ task: task!, entries: [step(1, "a")] }),
        store.record({
          task: lost,
          entries: [step(1, "a"), step(2, "b")],
          change: ending("completed"),
          openApproval: { path: "x", message: "?", context: null, dueAt: null },
          wakeTask: other.id,
        }),
        store.record({ task: { ...other, epoch: 9 }, entries: [step(1, "z")] }),
      ]);
      expect(answers).toEqual([true, false, false]);
      expect(await store.entries(mine.id, 0, 9)).toHaveLength(1);
      expect(await store.entries(lost.id, 0, 9)).toEqual([]);
      expect(await store.entries(other.id, 0, 9)).toEqual([]);
      expect(await store.task(lost.id)).toMatchObject({ status: "running", completedAt: null });
      expect(await store.openApprovals(lost.id)).toEqual([]);
    });

    test("records many runs at once, each with its own entries, and reports each by itself", async () => {
      const store = await open();
      const tasks = await Promise.all(Array.from({ length: 23 }, () => accepted(store)));
      const isStale = (index: number): boolean => index % 5 === 4;
      const writes = tasks.map((task, index) => {
        const full = {
          input: `{"i":${index}}`,
          output: `"${index}"`,
          error: { code: "http_error" as const, message: "m" },
          extra: { response: { status: 200 } },
          startedAt: index,
          attempt: 2,
        };
        const entries = Array.from({ length: 1 + (index % 4) }, (_, at) => step(at + 1, `s${at}`, full));
        const result = index % 3 === 0 ? { change: ending("completed", { result: `${index}` }) } : {};
        return { task: isStale(index) ? { ...task, epoch: 9 } : task, entries, ...result };
      });
      // The second time as after a lost reply.
      for (const _twice of [1, 2]) {
        const answers = await Promise.all(writes.map((write) => store.record(write)));
        expect(answers).toEqual(writes.map((_write, index) => !isStale(index)));
      }
      for (const [index, { id }] of tasks.entries()) {
        const { entries, change } = writes[index]!;
        expect(await store.entries(id, 0, 9)).toEqual(isStale(index) ? [] : entries);
        const status = change === undefined || isStale(index) ? "running" : "completed";
        expect(await store.task(id)).toMatchObject({ status });
      }
      const changed = writes.map(({ task, entries }) => ({
        task,
        entries: entries.map((entry) => ({ ...entry, output: "2" })),
      }));
      await Promise.all(changed.map((write) => store.record(write)));
      expect(await store.entries(tasks[1]!.id, 0, 9)).toEqual(writes[1]!.entries);
    });

    test("reports two runs of one task in a group each by its own epoch", async () => {
      const store = await open();
      const [task, other] = [await accepted(store), await accepted(store)];
      const answers = await Promise.all([
        store.record({ task: { ...task, epoch: 9 }, entries: [step(1, "old")] }),
        store.record({ task, entries: [step(1, "a")] }),
        store.record({ task: { ...task, epoch: 8 }, entries: [step(2, "older")] }),
        store.record({ task: other, entries: [step(1, "b")] }),
      ]);
      expect(answers).toEqual([false, true, false, true]);
      expect(await store.entries(task.id, 0, 9)).toEqual([step(1, "a")]);
    });

    test("reports several writes of one run in a group, as its branches record at once", async () => {
      const store = await open();
      const [task, lost, other] = [await accepted(store), await accepted(store), await accepted(store)];
      const stale = { ...lost, epoch: 9 };
      const entries = Array.from({ length: 19 }, (_, at) => step(at + 1, `s${at}`));
      for (const _twice of [1, 2]) {
        const answers = await Promise.all([
          store.record({ task: stale, entries: [step(1, "old")] }),
          ...entries.map((entry) => store.record({ task, entries: [entry] })),
          store.record({ task: stale, entries: [step(2, "old")] }),
          store.record({ task: other, entries: [step(1, "b")] }),
        ]);
        expect(answers).toEqual([false, ...entries.map(() => true), false, true]);
      }
      expect(await store.entries(task.id, 0, 99)).toEqual(entries);
      expect(await store.entries(lost.id, 0, 9)).toEqual([]);
    });

    test("records for tasks that are accepted in the same group, and only for their epoch", async () => {
      const store = await open();
      const [plain, withKey] = [newTask(), newTask({ idempotency: keyed("k", "body") })];
      const child = newTask({ parentTaskId: (await accepted(store)).id, parentStep: "sub" });
      const tasks = [plain, withKey, child];
      const stale = newTask();
      const answers = await Promise.all([
        ...tasks.map((task) => store.accept(task)),
        ...tasks.map((task) => store.record({ task, entries: [step(1, "a")] })),
        store.accept(stale),
        store.record({ task: { ...stale, epoch: 9 }, entries: [step(1, "z")] }),
      ]);
      const inserted = { inserted: true };
      expect(answers).toEqual([inserted, inserted, inserted, true, true, true, inserted, false]);
      for (const { id } of tasks) expect(await store.entries(id, 0, 9)).toEqual([step(1, "a")]);
      expect(await store.entries(stale.id, 0, 9)).toEqual([]);
    });

    test("stores a write once that is twice in a group", async () => {
      const store = await open();
      const [task, other] = [await accepted(store), await accepted(store)];
      const writes = [task, task, other].map((each) => ({ task: each, entries: [step(1, "a")] }));
      expect(await Promise.all(writes.map((write) => store.record(write)))).toEqual([true, true, true]);
      expect(await store.entries(task.id, 0, 9)).toEqual([step(1, "a")]);
    });

    test("reports a repeated write as not stored when the task was taken over in between", async () => {
      const db = await openDb();
      const store = createEngineStore(db);
      const [task, other] = [await accepted(store), await accepted(store)];
      const write = { task, entries: [step(1, "a")] };
      expect(await store.record(write)).toBe(true);
      await db.batch([{ sql: "update task set epoch = 2 where id = $id", params: { id: task.id } }]);
      expect(await store.record(write)).toBe(false);
      const group = [write, { task: other, entries: [step(1, "b")] }];
      expect(await Promise.all(group.map((each) => store.record(each)))).toEqual([false, true]);
    });

    test("reports an entry as not stored when another epoch has taken its number", async () => {
      const db = await openDb();
      const store = createEngineStore(db);
      const [task, other] = [await accepted(store), await accepted(store)];
      await store.record({ task, entries: [step(1, "a")] });
      await db.batch([{ sql: "update task set epoch = 2 where id = $id", params: { id: task.id } }]);
      const write = { task: { ...task, epoch: 2 }, entries: [step(1, "b")] };
      expect(await store.record(write)).toBe(false);
      const group = [write, { task: other, entries: [step(1, "c")] }];
      expect(await Promise.all(group.map((each) => store.record(each)))).toEqual([false, true]);
      expect(await store.entries(task.id, 0, 9)).toEqual([step(1, "a")]);
    });

    test("treats a repeated write as a success that changes nothing", async () => {
      const store = await open();
      const task = await accepted(store);
      const write = {
        task,
        entries: [step(1, "a", { output: "1" })],
        change: ending("completed", { result: "{}" }),
      };
      expect(await store.record(write)).toBe(true);
      expect(await store.record(write)).toBe(true);
      expect(await store.record({ task, entries: [step(1, "a", { output: "2" })] })).toBe(true);
      expect(await store.entries(task.id, 0, 9)).toEqual(write.entries);
    });

    test("treats a repeated park as a success, also when the task was woken in between", async () => {
      const store = await open();
      const task = await accepted(store);
      const write = {
        task,
        entries: [waitEntry({ seq: 1, at: NOW })],
        change: parking(task.wake, NOW + DAY),
      };
      expect(await store.record(write)).toBe(true);
      await store.wake(task.id, NOW);
      expect(await store.record(write)).toBe(true);
      expect(await claim(store, "w", 9, NOW)).toMatchObject([{ id: task.id }]);
      expect(await store.record(write)).toBe(false);
    });

    test("rejects an invalid write, and none of the others in its group", async () => {
      const store = await open();
      const [good, bad] = [await accepted(store), await accepted(store)];
      const late = newTask();
      const answers = await Promise.allSettled([
        store.record({ task: good, entries: [step(1, "a")] }),
        store.record({ task: bad, entries: [step(1, "b"), step(2, "c", { at: null as never })] }),
        store.accept(late),
      ]);
      expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
      expect(await store.entries(good.id, 0, 9)).toHaveLength(1);
      expect(await store.entries(bad.id, 0, 9)).toEqual([]);
      expect(await store.task(late.id)).toBeDefined();
    });

    test("returns the newest output per path, and the outputs that make up a result", async () => {
      const store = await open();
      const task = await accepted(store);
      await store.record({
        task,
        entries: [
          step(1, "a", { output: "1" }),
          step(2, "a", { output: "2" }),
          step(3, "each[0]/x", { output: "3", final: true }),
          step(4, "each[1]/x", { output: "4" }),
          step(5, "each[2]/x", { status: "skipped", final: true }),
          itemsEntry({ seq: 6, output: "[1]" }),
          step(8, "each[3]/x", { extra: { usage: { inputTokens: 1 } } }),
          step(7, "each%", { output: "5", final: true }),
        ],
      });
      expect(await store.outputs(task.id, ["a", "none"])).toEqual([
        { path: "a", output: "2", outputRef: null },
      ]);
      expect((await store.finalOutputs(task.id, "each[")).map(({ path }) => path)).toEqual(["each[0]/x"]);
      expect(await store.items(task.id, "each")).toMatchObject({ output: "[1]" });
      expect(await store.items(task.id, "a")).toBeUndefined();
      expect((await store.ownEntries(task.id)).map(({ seq }) => seq)).toEqual([1, 2, 6, 7, 8]);
    });

    test("returns entries of steps whose ids hold brackets, and those of no iteration", async () => {
      const store = await open();
      const task = await accepted(store);
      const own = ["x[a]", "x[0]", "x[0]/y", "each[a]", "each[]", "eachother[0]"];
      const within = ["each[0]", "each[12]/x", "each[0]/inner[3]/y", "each[0]/odd[a]"];
      await store.record({
        task,
        entries: [
          itemsEntry({ seq: 1, path: "each" }),
          ...[...within, ...own].map((path, index) => step(index + 2, path)),
        ],
      });
      // Another task of the same read: its loop is none of this task.
      const other = await accepted(store);
      await store.record({ task: other, entries: [itemsEntry({ seq: 1, path: "x" }), step(2, "x[0]")] });
      const [entries, others] = await Promise.all([store.ownEntries(task.id), store.ownEntries(other.id)]);
      expect(entries.map(pathOf)).toEqual(["each", ...own]);
      expect(others.map(pathOf)).toEqual(["x"]);
    });

    test("loads the payloads of the newest entries up to the limit of a response, and the size of the others", async () => {
      const store = createEngineStore(await openDb(), 25);
      const task = await accepted(store);
      const entries = [
        step(1, "a", { input: '"123"', output: '"12345678"', extra: { old: "x".repeat(3000) } }),
        rerunEntry({ seq: 2, cleared: ["x"] }),
        step(3, "b", { output: '"12345678"' }),
        step(4, "c", { output: '"ü2345678"' }),
      ];
      await store.record({ task, entries });
      const [a, rerun, b, c] = await store.ownEntries(task.id);
      expect(a).toMatchObject({ path: "a", input: null, output: null, extra: null });
      expect(a).toMatchObject({ omitted: { input: 5, output: 10 } });
      expect([rerun, b, c]).toEqual(entries.slice(1));
    });

    test("tells the size of outputs without loading them", async () => {
      const store = await open();
      const task = await accepted(store);
      const outputRef = `${task.id}/req_1.300000`;
      await store.record({
        task,
        entries: [
          step(1, "a", { input: "12", output: '"ü"' }),
          step(2, "each[0]/x", { final: true, output: "123" }),
          step(3, "each[1]/x", { final: true, output: null, outputRef }),
          step(4, "each[2]/x", { final: true, output: "1234" }),
          step(5, "each[2]/y", { output: "12345" }),
          step(6, "each[3]/x", { final: true, status: "skipped", output: "1" }),
        ],
      });
      expect(await store.finalOutputBytes(task.id, "each[")).toBe(300_007);
      expect(await store.finalOutputBytes(task.id, "none[")).toBe(0);
      expect(await store.outputBytes(task.id, ["a", "each[1]/x", "none"])).toBe(300_004);
      await store.record({ task, entries: [step(7, "a", { output: "12345" })] });
      expect(await store.outputBytes(task.id, ["a"])).toBe(5);
      expect((await store.heads(task.id)).slice(0, 3)).toMatchObject([
        { bytes: 6 },
        { bytes: 3 },
        { bytes: 0, outputRef },
      ]);
    });

    test("returns the attempts of one step, newest first, page by page", async () => {
      const store = await open();
      const task = await accepted(store);
      await store.record({
        task,
        entries: [
          attemptEntry({ seq: 1, due: 7 }),
          step(2, "b"),
          waitEntry({ seq: 3 }),
          step(4, "a", { attempt: 2, status: "failed" }),
          step(5, "skipped", { status: "skipped" }),
        ],
      });
      const seqs = async (path: string, before: number, limit: number) =>
        (await store.attempts(task.id, path, before, limit)).map(({ seq }) => seq);
      expect(await seqs("a", 99, 10)).toEqual([4, 1]);
      expect(await seqs("a", 99, 1)).toEqual([4]);
      expect(await seqs("a", 4, 10)).toEqual([1]);
      expect(await seqs("skipped", 99, 10)).toEqual([]);
    });

    test("returns how a task ended", async () => {
      const store = await open();
      const task = await accepted(store);
      const change = ending("failed", { error: { code: "http_error", message: "m", stepId: "a" } });
      await store.record({ task, entries: [step(1, "a")], change });
      expect(await store.task(task.id)).toMatchObject({
        status: "failed",
        error: { stepId: "a" },
        completedAt: NOW,
      });
    });
  });
}
