import { existsSync, statSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, onTestFinished } from "vitest";
import { openTestDb } from "../../test/support/open-db.ts";
import { createBlobs } from "../lib/blob-store.ts";
import { createId } from "../lib/ids.ts";
import { createFolderStores } from "../storage/files/folder-store.ts";
import type { Db } from "../storage/db.ts";
import { migrate } from "../storage/migrate.ts";
import { migrations } from "../storage/migrations/all.ts";
import { createRetentionStore } from "./retention.sql.ts";
import { DATABASE_FILE, openSqlite } from "../storage/sqlite/sqlite-db.ts";
import { createRetention } from "./retention.ts";

const DAY = 24 * 3600 * 1000;
const NOW = Date.parse("2030-01-31T00:00:00Z");
let folder: string;
let db: Db;
let close: () => Promise<void>;
beforeEach(async () => {
  ({ db, folder, close } = await openTestDb());
});
afterEach(() => close());

interface Given {
  status?: string;
  daysAgo?: number;
  endedDaysAgo?: number;
  parent?: string;
  parentStep?: string;
  entries?: number;
  output?: string;
}

async function task(given: Given = {}): Promise<string> {
  const {
    status = "completed",
    daysAgo = 40,
    endedDaysAgo = daysAgo,
    parent,
    parentStep,
    entries = 1,
    output = "1",
  } = given;
  const createdAt = NOW - daysAgo * DAY;
  const id = createId("task", createdAt);
  const ended = ["completed", "failed", "cancelled", "rejected"].includes(status);
  await db.batch([
    {
      sql: `insert into task (id, owner_id, workflow_id, workflow_version, status, trigger, input, parent_task_id, parent_step, depth, epoch,
              wake, lives, lives_seq, created_at, completed_at) values ($1, 'user', 'wf', 1, $2, 'api', '{}', $3, $4, 0, 1, 0, 0, 0, $5, $6)`,
      params: [
        id,
        status,
        parent ?? null,
        parentStep ?? null,
        createdAt,
        ended || given.endedDaysAgo !== undefined ? NOW - endedDaysAgo * DAY : null,
      ],
    },
    {
      sql: `insert into journal (task_id, seq, epoch, kind, path, type, status, attempt, final, output, at)
            select $1, cast(value as bigint), 1, 'step', 'a', 'transform', 'completed', 1, 1, $3, 0 from json_each(cast($2 as text))`,
      params: [id, JSON.stringify(Array.from({ length: entries }, (_, index) => index + 1)), output],
    },
  ]);
  return id;
}

function retention(retentionDays = 30) {
  const made = createRetention({
    store: createRetentionStore(db),
    blobs: createBlobs(createFolderStores(folder).area("blobs")),
    clock: { now: () => NOW, monotonic: () => performance.now() },
    retentionDays,
    compact: db.compact,
    onError: (error) => {
      throw error;
    },
  });
  // Its first sweep comes after a minute, when this test's database is long closed.
  onTestFinished(() => made.close());
  return made;
}

const ids = async () =>
  (await db.query<{ id: string }>("select id from task order by id")).map(({ id }) => id);
const count = async (table: string) =>
  Number((await db.query(`select count(*) as n from ${table}`))[0]?.["n"]);

test("a finished task that is too old goes with its journal, its approvals and its large outputs", async () => {
  const old = await task({ status: "failed", entries: 3 });
  const young = await task({ daysAgo: 29 });
  await db.batch([
    {
      sql: "insert into approval (task_id, path, owner_id, message, requested_at) values ($1, 'ok', 'user', '', 0)",
      params: [old],
    },
  ]);
  await mkdir(join(folder, "blobs", old), { recursive: true });
  await writeFile(join(folder, "blobs", old, "output"), "large");
  expect(await retention().sweep()).toBe(1);
  expect(await ids()).toEqual([young]);
  expect([await count("journal"), await count("approval")]).toEqual([1, 0]);
  expect(existsSync(join(folder, "blobs", old))).toBe(false);
});

test.each(["queued", "running", "waiting", "waiting_approval"])(
  "a task that is %s stays, however old",
  async (status) => {
    const open = await task({ status, daysAgo: 4000, endedDaysAgo: 3000 });
    expect(await retention().sweep()).toBe(0);
    expect(await ids()).toEqual([open]);
    expect(await count("journal")).toBe(1);
  },
);

test("a task that ended only lately stays, however long ago it began", async () => {
  const slow = await task({ daysAgo: 400, endedDaysAgo: 1 });
  await retention().sweep();
  expect(await ids()).toEqual([slow]);
});

test("what an unfinished task belongs to stays: its parent, its sub-workflows, what it replays", async () => {
  const parent = await task({ status: "waiting" });
  const child = await task({ parent, parentStep: "sub" });
  const grandchild = await task({ parent: child, parentStep: "sub" });
  const ended = await task({ status: "failed" });
  const orphanToBe = await task({ status: "running", parent: ended, parentStep: "sub" });
  const replayed = await task();
  const replay = await task({ status: "waiting_approval", parent: replayed });
  const source = await task({ status: "running" });
  const endedReplay = await task({ parent: source });
  expect(await retention().sweep()).toBe(0);
  expect(await ids()).toEqual([
    parent,
    child,
    grandchild,
    ended,
    orphanToBe,
    replayed,
    replay,
    source,
    endedReplay,
  ]);
});

test("a task that was opened again between the look at it and its removal keeps everything", async () => {
  const reopened = await task({ status: "queued" });
  const { tasks: store } = createRetentionStore(db);
  expect(await store.hide(reopened)).toBe(false);
  expect(await store.remove([reopened])).toEqual([]);
  expect(await db.query("select owner_id from task")).toEqual([{ owner_id: "user" }]);
  expect(await count("journal")).toBe(1);
});

test("a sub-workflow stays as long as its parent, whose rerun counts on it", async () => {
  const parent = await task({ status: "failed", daysAgo: 40, endedDaysAgo: 2 });
  const child = await task({ parent, parentStep: "sub" });
  await retention().sweep();
  expect(await ids()).toEqual([parent, child]);
});

test("a family that has ended goes as a whole in one sweep", async () => {
  const parent = await task();
  const child = await task({ parent, parentStep: "sub" });
  await task({ parent: child, parentStep: "sub" });
  expect(await retention().sweep()).toBe(3);
  expect(await ids()).toEqual([]);
});

test("a long journal is emptied in steps and the task goes last", async () => {
  await task({ entries: 5000 });
  expect(await retention().sweep()).toBe(1);
  expect([await count("task"), await count("journal")]).toEqual([0, 0]);
});

test("with RETENTION_DAYS 0 no task goes, but idempotency keys of yesterday do", async () => {
  await task({ daysAgo: 4000 });
  const key = (name: string, createdAt: number) => ({
    sql: "insert into idempotency (scope, key, body_hash, task_id, created_at) values ('s', $1, 'h', 't', $2)",
    params: [name, createdAt],
  });
  await db.batch([
    ...Array.from({ length: 500 }, (_, index) => key(`old${index}`, NOW - DAY - index)),
    key("young", NOW - DAY + 1),
  ]);
  expect(await retention(0).sweep()).toBe(0);
  expect(await count("task")).toBe(1);
  expect(await db.query("select key from idempotency")).toEqual([{ key: "young" }]);
});

test("the file shrinks, and the WAL with it", async () => {
  // The embedded database, whichever the other tests run on: no server has a file of ours.
  db = openSqlite({ folder: join(folder, "embedded") });
  onTestFinished(() => db.close());
  await migrate(db, migrations, NOW);
  for (let index = 0; index < 40; index++) await task({ entries: 20, output: "x".repeat(10_000) });
  const kept = await task({ daysAgo: 1 });
  await db.query("pragma wal_checkpoint(truncate)");
  const file = join(folder, "embedded", DATABASE_FILE);
  const before = statSync(file).size;
  await retention().sweep();
  expect(before).toBeGreaterThan(8_000_000);
  expect(statSync(file).size).toBeLessThan(1_000_000);
  expect(statSync(`${file}-wal`).size).toBe(0);
  expect(await ids()).toEqual([kept]);
});

test("closing ends a sweep between two steps", async () => {
  for (let index = 0; index < 5; index++) await task({ entries: 3000 });
  const running = retention();
  const swept = running.sweep();
  await running.close();
  await expect(swept).rejects.toThrow("abort");
});

describe("sessions", () => {
  beforeEach(() =>
    db.batch([
      { sql: "insert into account (id, email, password_hash, created_at) values ('user', 'a@b.c', '', 0)" },
      {
        sql: `insert into team (id, owner_id, name, description, agents, external_agents, topology, secret_hash, created_at, updated_at)
              values ('team', 'user', '', '', '[]', '[]', 'mesh', '', 0, 0)`,
      },
    ]),
  );

  async function session(given: { status?: string; endedDaysAgo?: number; messages?: number } = {}) {
    const { status = "completed", endedDaysAgo = 40, messages = 2 } = given;
    const createdAt = NOW - 40 * DAY;
    const id = createId("sess", createdAt);
    const open = status === "waiting" || status === "active";
    await db.batch([
      {
        sql: `insert into session (id, team_id, owner_id, objective, status, input_tokens, output_tokens, last_seq, last_write, created_at, completed_at)
              values ($1, 'team', 'user', '', $2, 0, 0, $3, '', $4, $5)`,
        params: [id, status, messages, createdAt, open ? null : NOW - endedDaysAgo * DAY],
      },
      {
        sql: `insert into task (id, owner_id, lane, workflow_id, workflow_version, status, trigger, input, depth, epoch, wake, lives, lives_seq, created_at)
              values ($1, 'user', 'session', 'session', 1, $2, 'team', '{}', 0, 1, 0, 0, 0, $3)`,
        params: [id, status === "cancelled" ? status : "waiting", createdAt],
      },
      {
        sql: `insert into session_message (session_id, seq, id, from_id, from_type, to_id, to_type, type, content, outside, created_at)
              select $1, cast(value as bigint), $1 || value, '', 'user', '', '', 'user_prompt', '{}', 1, 0 from json_each(cast($2 as text))`,
        params: [id, JSON.stringify(Array.from({ length: messages }, (_, index) => index + 1))],
      },
    ]);
    return id;
  }
  const left = async () => [await count("session"), await count("session_message"), await count("task")];

  test.each(["completed", "failed", "cancelled"])(
    "one that has %s and is too old goes with its messages, its task and what its agents started",
    async (status) => {
      const old = await session({ status });
      await task({ parent: old, parentStep: "agent:1" });
      const young = await session({ status, endedDaysAgo: 2 });
      expect(await retention().sweep()).toBe(2);
      expect(await db.query("select id from session")).toEqual([{ id: young }]);
      expect(await left()).toEqual([1, 2, 1]);
    },
  );

  test("one that is unfinished stays, and one whose agent has started what is unfinished", async () => {
    await session({ status: "waiting" });
    await session({ status: "active" });
    await task({ parent: await session(), parentStep: "agent:1", status: "waiting_approval" });
    expect(await retention().sweep()).toBe(0);
    expect(await left()).toEqual([3, 6, 4]);
  });

  test("a long log is emptied in steps and the session goes last", async () => {
    await session({ messages: 5000 });
    expect(await retention().sweep()).toBe(1);
    expect(await left()).toEqual([0, 0, 0]);
  });

  test("one that was spoken to between the look at it and its removal keeps everything", async () => {
    const id = await session();
    const { sessions } = createRetentionStore(db);
    await db.batch([{ sql: "update task set status = 'queued', run_at = 7" }]);
    expect(await sessions.remove([id])).toEqual([]);
    await db.batch([{ sql: "update session set status = 'active'" }]);
    expect(await sessions.hide(id)).toBe(false);
    expect(await left()).toEqual([1, 2, 1]);
  });
});
