import { describe, expect, test } from "vitest";
import type { EngineStore, NewTask } from "../store.ts";
import type { Db } from "../../storage/db.ts";
import { createEngineStore } from "../../storage/engine/engine-store.ts";
import { badRowsContract } from "./store-contract-bad-rows.ts";
import { claimingContract } from "./store-contract-claiming.ts";
import { approversContract } from "./store-contract-approvers.ts";
import { decidingContract } from "./store-contract-deciding.ts";
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
import { attemptEntry, itemsEntry, pathOf, rerunEntry, statusEntry, waitEntry } from "./entry-samples.ts";

/** What the engine requires of every database. `openDb` returns a migrated, empty one. */
export function engineStoreContract(name: string, openDb: () => Promise<Db>): void {
  const open = async (): Promise<EngineStore> => createEngineStore(await openDb());

  describe(`the engine's store on ${name}`, () => {
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
          if (!answer.inserted)
            expect(answer).toEqual({ inserted: false, taskId: first.id, bodyHash: "body" });
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

    claimingContract(open);
    decidingContract(open);
    approversContract(open);
    badRowsContract(openDb);
  });
}
