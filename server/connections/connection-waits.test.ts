import { expect, onTestFinished, test } from "vitest";
import { openTestDb } from "../../test/support/open-db.ts";
import { limitsOf } from "../limits/testing/limits-of.ts";
import { AppError } from "../lib/errors.ts";
import { createListConnectionWaits } from "./connection-waits.sql.ts";
import { createConnectionWaits } from "./connection-waits.ts";

const queue = () => limitsOf().share({ share: "connection_waits", slots: 2, perKey: 1 });

test("a repair does not wait for the retries, and repairs in a row need one more pass", async () => {
  const retried: string[] = [];
  const lists: string[] = [];
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const waits = createConnectionWaits({
    list: async (_owner, id, after) => {
      lists.push(`${id}${after}`);
      await held;
      return after === ""
        ? { waits: [{ taskId: "t1", path: "a" }], next: ">t1" }
        : { waits: [{ taskId: "t2", path: "b" }], next: undefined };
    },
    retryNow(taskId) {
      retried.push(taskId);
      return Promise.reject(new AppError("task_not_waiting", "It has ended."));
    },
    queue: queue(),
    onError: (error) => expect.fail(String(error)),
  });
  for (let repairs = 0; repairs < 5; repairs += 1) waits.retry({ ownerId: "user_1", id: "c1" });
  expect([lists, retried]).toEqual([["c1"], []]);
  release();
  await expect.poll(() => retried).toEqual(["t1", "t2", "t1", "t2"]);
  expect(lists).toEqual(["c1", "c1>t1", "c1", "c1>t1"]);
  await waits.close();
  waits.retry({ ownerId: "user_1", id: "c1" });
  expect(lists).toHaveLength(4);
});

test("waiting runs are read in pages", async () => {
  const { db, close } = await openTestDb();
  onTestFinished(close);
  for (const [id, connection] of [
    ["task_1", "conn_1"],
    ["task_2", "conn_2"],
    ["task_3", "conn_1"],
  ] as const)
    await insertWait(id, connection);
  async function insertWait(id: string, connection: string): Promise<void> {
    await db.batch([
      {
        sql: `insert into task (id, owner_id, workflow_id, workflow_version, status, trigger, input, depth, epoch, wake, lives, lives_seq, created_at)
              values ($id, 'user_1', 'wf_1', 1, 'waiting', 'manual', '{}', 0, 1, 0, 0, 0, 0)`,
        params: { id },
      },
      {
        sql: `insert into journal (task_id, seq, epoch, kind, path, type, status, attempt, final, error, at)
              values ($id, 1, 1, 'attempt', 'call', 'http', 'failed', 1, 0, $error, 0)`,
        params: {
          id,
          error: JSON.stringify({ code: "connection_authorization_required", details: { connection } }),
        },
      },
    ]);
  }
  const list = createListConnectionWaits(db, 2);
  expect(await list("user_1", "conn_1", "")).toEqual({
    waits: [{ taskId: "task_1", path: "call" }],
    next: "task_2",
  });
  expect(await list("user_1", "conn_1", "task_2")).toEqual({
    waits: [{ taskId: "task_3", path: "call" }],
    next: undefined,
  });
  expect(await list("user_2", "conn_1", "")).toEqual({ waits: [], next: undefined });
});
