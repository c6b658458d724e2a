import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestDb } from "../../../test/support/open-db.ts";
import { newTask } from "../../engine/testing/store-samples.ts";
import type { Db, Statement } from "../db.ts";
import { createEngineStore } from "./engine-store.ts";

let db: Db;
let close: () => Promise<void>;
beforeEach(async () => ({ db, close } = await openTestDb()));
afterEach(() => close());

/** The store, and the batches that it has sent. */
function openStore(owners: string[]) {
  const batches: string[][] = [];
  const spying: Db = {
    ...db,
    batch(statements: readonly Statement[], options) {
      batches.push(statements.map(({ sql }) => sql));
      return db.batch(statements, options);
    },
  };
  return { store: createEngineStore(spying, 0, { has: (id) => owners.includes(id) }), batches };
}

const completed = {
  status: "completed" as const,
  runAt: null,
  seenWake: null,
  result: "{}",
  resultRef: null,
  error: null,
  completedAt: 2,
};
const end = { seq: 1, kind: "status" as const, status: "completed" as const, error: null, at: 2 };

test("the end of a run and its event are one write", async () => {
  const { store, batches } = openStore(["user"]);
  const task = newTask({ ownerId: "user" });
  await store.accept(task);
  await store.record({ task, entries: [end], change: completed });
  expect(batches).toHaveLength(2);
  expect(await db.query("select id, type, at from run_event order by id")).toEqual([
    { id: `${task.id}.0.run.started`, type: "baton.run.started", at: task.createdAt },
    { id: `${task.id}.1.run.completed`, type: "baton.run.completed", at: 2 },
  ]);
});

test("without a subscription a call writes and reads nothing for events", async () => {
  const { store, batches } = openStore(["somebody"]);
  const task = newTask({ ownerId: "user" });
  await store.accept(task, { entries: [end], change: completed });
  expect(batches.flat().filter((sql) => /event/.test(sql))).toEqual([]);
  expect(batches).toHaveLength(1);
});

test("a failed run and a request for approval are reported for every owner, except those of sub-workflows", async () => {
  const { store } = openStore([]);
  const failed = { ...completed, status: "failed" as const, result: null };
  const openApproval = { path: "ask", message: "Pay?", context: null, dueAt: null };
  const [task, child, asking] = [1, 2, 3].map(() => newTask({ ownerId: "user" }));
  for (const each of [task!, child!, asking!]) await store.accept(each);
  await store.record({ task: task!, entries: [end], change: failed });
  await store.record({ task: child!, entries: [end], change: failed, wakeTask: task!.id });
  await store.record({ task: asking!, entries: [end], openApproval });
  expect(await db.query("select id, type from run_event order by type")).toEqual([
    { id: `${asking!.id}.1.approval.requested`, type: "baton.approval.requested" },
    { id: `${task!.id}.1.run.failed`, type: "baton.run.failed" },
  ]);
});

test("a run that has lost its task, and a task that was not inserted, report nothing", async () => {
  const { store } = openStore(["user"]);
  const task = newTask({ ownerId: "user" });
  await store.accept(task);
  await db.batch([{ sql: "update task set epoch = epoch + 1" }, { sql: "delete from run_event" }]);
  expect(await store.record({ task, entries: [end], change: completed })).toBe(false);
  expect((await store.accept({ ...newTask({ ownerId: "user" }), id: task.id })).inserted).toBe(true);
  expect(await db.query("select id from run_event")).toEqual([]);
});
