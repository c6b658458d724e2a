import { existsSync, statSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, onTestFinished } from "vitest";
import { openTestDb } from "../../test/support/open-db.ts";
import { createBlobs } from "../lib/blob-store.ts";
import { createId, firstIdAt } from "../lib/ids.ts";
import { createFolderStores } from "../storage/files/folder-store.ts";
import type { Db } from "../storage/db.ts";
import { migrate } from "../storage/migrate.ts";
import { migrations } from "../storage/migrations/all.ts";
import { DATABASE_FILE, openSqlite } from "../storage/sqlite/sqlite-db.ts";
import { createOutboxStore } from "../outbox/outbox-delivery.sql.ts";
import { createPrunableSessions } from "../teams/store/session-retention.sql.ts";
import { createRetention } from "./retention.ts";
import { createClientCallStore } from "../exposure/client-call.sql.ts";
import { createStoreValues } from "../store/store.sql.ts";
import { openRunFiles } from "../run-files/testing/open-run-files.ts";
import { dropExpiredEvents } from "../wait-events/wait-event.sql.ts";
import { dropUnusedSnapshots } from "../workflows/draft.sql.ts";
import { createPrunableTasks, dropIdempotencyKeys } from "./task-retention.sql.ts";

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

async function insertTask(given: Given = {}): Promise<string> {
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

function openRetention(retentionDays = 30, own: Record<string, number> = {}) {
  const retention = createRetention({
    tasks: createPrunableTasks(db),
    sessions: createPrunableSessions(db),
    dropIdempotencyKeys: (before, limit) => dropIdempotencyKeys(db, before, limit),
    dropUnlinkedFiles: openRunFiles({ db, folder }).dropUnlinked,
    dropUnusedSnapshots: (before, limit) => dropUnusedSnapshots(db, before, limit),
    dropExpiredEvents: (before, limit) => dropExpiredEvents(db, before, limit),
    dropExpired: [createStoreValues(db).removeExpired],
    prunableRows: [createOutboxStore(db).prune, createClientCallStore(db).prune],
    blobs: createBlobs(createFolderStores(folder).area("blobs")),
    clock: { now: () => NOW, monotonic: () => performance.now() },
    retentionDays,
    workspaceRetention: () => Promise.resolve(new Map(Object.entries(own))),
    compact: db.compact,
    onError: (error) => {
      throw error;
    },
  });
  // Its first sweep would run after a minute, when the database of the test is closed.
  onTestFinished(() => retention.close());
  return retention;
}

const taskIds = async () =>
  (await db.query<{ id: string }>("select id from task order by id")).map(({ id }) => id);
const count = async (table: string) =>
  Number((await db.query(`select count(*) as n from ${table}`))[0]?.["n"]);

test("an expired task is deleted with its journal, approvals and large outputs", async () => {
  const old = await insertTask({ status: "failed", entries: 3 });
  const young = await insertTask({ daysAgo: 29 });
  await db.batch([
    {
      sql: "insert into approval (task_id, path, owner_id, message, requested_at) values ($1, 'ok', 'user', '', 0)",
      params: [old],
    },
  ]);
  for (const id of [old, young])
    await db.batch([{ sql: "insert into task_input (task_id, input) values ($1, '[]')", params: [id] }]);
  await mkdir(join(folder, "blobs", old), { recursive: true });
  await writeFile(join(folder, "blobs", old, "output"), "large");
  expect(await openRetention().sweep()).toBe(1);
  expect(await taskIds()).toEqual([young]);
  expect([await count("journal"), await count("approval"), await count("task_input")]).toEqual([1, 0, 1]);
  expect(existsSync(join(folder, "blobs", old))).toBe(false);
});

test("a workspace may keep its tasks for a shorter or longer time than the instance", async () => {
  const [old, young] = [await insertTask({ daysAgo: 40 }), await insertTask({ daysAgo: 10 })];
  const other = await insertTask({ daysAgo: 40 });
  await db.batch([{ sql: "update task set owner_id = 'ws_1' where id = $other", params: { other } }]);
  expect(await openRetention(30, { ws_1: 60 }).sweep()).toBe(1);
  expect(await taskIds()).toEqual([other, young].toSorted());
  expect(await openRetention(30, { ws_1: 0 }).sweep()).toBe(0);
  expect(await openRetention(0, { ws_1: 39 }).sweep()).toBe(1);
  expect(await openRetention(0, { user: 9 }).sweep()).toBe(1);
  expect([await taskIds(), old]).toEqual([[], old]);
});

test("stored values that have expired are deleted, also when tasks are kept forever", async () => {
  await db.batch([
    { sql: "insert into workspace (id, name, kind, created_at) values ('user', '', 'personal', 1)" },
    ...[NOW - 1, NOW + 1, null].map((expiresAt, index) => ({
      sql: `insert into store_value (owner_id, scope, key, value, bytes, expires_at, version, updated_at)
            values ('user', 'workspace', $1, '1', 1, cast($2 as bigint), 'v', 1)`,
      params: [`key ${index}`, expiresAt],
    })),
  ]);
  await openRetention(0).sweep();
  const left = await db.query("select key from store_value order by key");
  expect(left.map(({ key }) => key)).toEqual(["key 1", "key 2"]);
});

test.each(["queued", "running", "waiting", "waiting_approval"])(
  "a task with status %s is kept at any age",
  async (status) => {
    const open = await insertTask({ status, daysAgo: 4000, endedDaysAgo: 3000 });
    expect(await openRetention().sweep()).toBe(0);
    expect(await taskIds()).toEqual([open]);
    expect(await count("journal")).toBe(1);
  },
);

test("a task that ended recently is kept, no matter when it started", async () => {
  const slow = await insertTask({ daysAgo: 400, endedDaysAgo: 1 });
  await openRetention().sweep();
  expect(await taskIds()).toEqual([slow]);
});

test("tasks related to an unfinished task are kept: its parent, its sub-workflows and the task it replays", async () => {
  const parent = await insertTask({ status: "waiting" });
  const child = await insertTask({ parent, parentStep: "sub" });
  const grandchild = await insertTask({ parent: child, parentStep: "sub" });
  const ended = await insertTask({ status: "failed" });
  const runningChild = await insertTask({ status: "running", parent: ended, parentStep: "sub" });
  const replayed = await insertTask();
  const replay = await insertTask({ status: "waiting_approval", parent: replayed });
  const source = await insertTask({ status: "running" });
  const endedReplay = await insertTask({ parent: source });
  expect(await openRetention().sweep()).toBe(0);
  expect(await taskIds()).toEqual([
    parent,
    child,
    grandchild,
    ended,
    runningChild,
    replayed,
    replay,
    source,
    endedReplay,
  ]);
});

test("a task that is reopened between the check and the deletion is kept whole", async () => {
  const reopened = await insertTask({ status: "queued" });
  const tasks = createPrunableTasks(db);
  expect(await tasks.hide(reopened)).toBe(false);
  expect(await tasks.remove([reopened])).toEqual([]);
  expect(await db.query("select owner_id from task")).toEqual([{ owner_id: "user" }]);
  expect(await count("journal")).toBe(1);
});

test("a sub-workflow is kept while its parent exists, because a rerun needs its result", async () => {
  const parent = await insertTask({ status: "failed", daysAgo: 40, endedDaysAgo: 2 });
  const child = await insertTask({ parent, parentStep: "sub" });
  await openRetention().sweep();
  expect(await taskIds()).toEqual([parent, child]);
});

test("a finished task tree is deleted in one sweep", async () => {
  const parent = await insertTask();
  const child = await insertTask({ parent, parentStep: "sub" });
  await insertTask({ parent: child, parentStep: "sub" });
  expect(await openRetention().sweep()).toBe(3);
  expect(await taskIds()).toEqual([]);
});

test("a long journal is deleted in batches before its task", async () => {
  await insertTask({ entries: 5000 });
  expect(await openRetention().sweep()).toBe(1);
  expect([await count("task"), await count("journal")]).toEqual([0, 0]);
});

test("with RETENTION_DAYS 0 tasks are kept, but idempotency keys older than a day are deleted", async () => {
  await insertTask({ daysAgo: 4000 });
  const key = (name: string, createdAt: number) => ({
    sql: "insert into idempotency (scope, key, body_hash, task_id, created_at) values ('s', $1, 'h', 't', $2)",
    params: [name, createdAt],
  });
  await db.batch([
    ...Array.from({ length: 500 }, (_, index) => key(`old${index}`, NOW - DAY - index)),
    key("young", NOW - DAY + 1),
  ]);
  expect(await openRetention(0).sweep()).toBe(0);
  expect(await count("task")).toBe(1);
  expect(await db.query("select key from idempotency")).toEqual([{ key: "young" }]);
});

test("ended webhook messages expire with RETENTION_DAYS", async () => {
  const outbox = createOutboxStore(db);
  const message = {
    ownerId: "user",
    kind: "event",
    targetId: "sub",
    label: "",
    subject: null,
    contentType: "text/plain",
    body: "",
  };
  for (const daysAgo of [31, 29]) await outbox.insert([message], NOW - daysAgo * DAY);
  await db.batch([{ sql: "update outbox_delivery set due_at = null" }]);
  await openRetention(0).sweep();
  expect(await count("outbox_delivery")).toBe(2);
  await openRetention().sweep();
  expect(await count("outbox_delivery")).toBe(1);
});

test("the database file and its WAL shrink", async () => {
  // Always SQLite, also when the other tests run on PostgreSQL: only SQLite has a file to shrink.
  db = openSqlite({ folder: join(folder, "embedded") });
  onTestFinished(() => db.close());
  await migrate(db, migrations, NOW);
  await db.query("pragma wal_checkpoint(truncate)");
  const empty = statSync(join(folder, "embedded", DATABASE_FILE)).size;
  for (let index = 0; index < 40; index++) await insertTask({ entries: 20, output: "x".repeat(10_000) });
  const kept = await insertTask({ daysAgo: 1 });
  await db.query("pragma wal_checkpoint(truncate)");
  const file = join(folder, "embedded", DATABASE_FILE);
  const before = statSync(file).size;
  await openRetention().sweep();
  expect(before).toBeGreaterThan(8_000_000);
  // What is left is the tables themselves.
  expect(statSync(file).size).toBeLessThan(empty + 200_000);
  expect(statSync(`${file}-wal`).size).toBe(0);
  expect(await taskIds()).toEqual([kept]);
});

test("closing stops a sweep between two steps", async () => {
  for (let index = 0; index < 5; index++) await insertTask({ entries: 3000 });
  const running = openRetention();
  const swept = running.sweep();
  await running.close();
  await expect(swept).rejects.toThrow("abort");
});

describe("sessions", () => {
  beforeEach(() =>
    db.batch([
      { sql: "insert into workspace (id, name, kind, created_at) values ('user', '', 'personal', 0)" },
      {
        sql: `insert into team (id, owner_id, name, description, agents, external_agents, topology, secret_hash, created_at, updated_at)
              values ('team', 'user', '', '', '[]', '[]', 'mesh', '', 0, 0)`,
      },
    ]),
  );

  async function insertSession(given: { status?: string; endedDaysAgo?: number; messages?: number } = {}) {
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
  const counts = async () => [await count("session"), await count("session_message"), await count("task")];

  test.each(["completed", "failed", "cancelled"])(
    "an expired session with status %s is deleted with its messages, its task and its agents' tasks",
    async (status) => {
      const old = await insertSession({ status });
      await insertTask({ parent: old, parentStep: "agent:1" });
      const young = await insertSession({ status, endedDaysAgo: 2 });
      expect(await openRetention().sweep()).toBe(2);
      expect(await db.query("select id from session")).toEqual([{ id: young }]);
      expect(await counts()).toEqual([1, 2, 1]);
    },
  );

  test("an unfinished session is kept, and so is one with an unfinished task of an agent", async () => {
    await insertSession({ status: "waiting" });
    await insertSession({ status: "active" });
    await insertTask({ parent: await insertSession(), parentStep: "agent:1", status: "waiting_approval" });
    expect(await openRetention().sweep()).toBe(0);
    expect(await counts()).toEqual([3, 6, 4]);
  });

  test("a long message log is deleted in batches before its session", async () => {
    await insertSession({ messages: 5000 });
    expect(await openRetention().sweep()).toBe(1);
    expect(await counts()).toEqual([0, 0, 0]);
  });

  test("a session that gets a message between the check and the deletion is kept whole", async () => {
    const id = await insertSession();
    const sessions = createPrunableSessions(db);
    await db.batch([{ sql: "update task set status = 'queued', run_at = 7" }]);
    expect(await sessions.remove([id])).toEqual([]);
    await db.batch([{ sql: "update session set status = 'active'" }]);
    expect(await sessions.hide(id)).toBe(false);
    expect(await counts()).toEqual([1, 2, 1]);
  });
});

test("a snapshot of a draft is deleted once no task uses it, and published versions stay", async () => {
  const user = { id: "user", workflow: "w" };
  const version = (number: number, createdAt: number) => ({
    sql: `insert into workflow_version (workflow_id, version, name, description, graph, note, created_at, created_by)
          values ($workflow, $number, '', '', '{}', '', $createdAt, $id)`,
    params: { ...user, number, createdAt },
  });
  await db.batch([
    {
      sql: `insert into workspace (id, name, kind, created_at) values ('user', '', 'personal', 0)`,
    },
    {
      sql: `insert into workflow (id, owner_id, name, description, version, graph, api_enabled, api_authentication, api_sync, created_at, updated_at)
            values ('w', 'user', '', '', 1, '{}', 0, 1, 1, 0, 0)`,
    },
  ]);
  await db.batch([1, -1, -2].map((number) => version(number, NOW - DAY)));
  await db.batch([version(-3, NOW - 60_000)]);
  const used = await insertTask({ daysAgo: 31 });
  const young = await insertTask({ daysAgo: 1 });
  await db.batch([
    { sql: "update task set workflow_id = 'w', workflow_version = -1 where id = $used", params: { used } },
    { sql: "update task set workflow_id = 'w', workflow_version = -2 where id = $young", params: { young } },
  ]);
  const left = async () =>
    (await db.query("select version from workflow_version order by version")).map((row) =>
      Number(row["version"]),
    );
  await openRetention(0).sweep();
  expect(await left()).toEqual([-3, -2, -1, 1]);
  await openRetention(30).sweep();
  expect(await left()).toEqual([-3, -2, 1]);
});

test("records of client calls are deleted with the tasks of their time", async () => {
  await db.batch([
    { sql: "insert into workspace (id, name, kind, created_at) values ('user', '', 'personal', 0)" },
  ]);
  const call = (daysAgo: number) => ({
    id: `${firstIdAt("call", NOW - daysAgo * DAY)}${daysAgo}`,
    ownerId: "user",
    protocol: "mcp" as const,
    method: "tools/call",
    kind: null,
    recordId: null,
    recordName: null,
    callerId: null,
    callerName: "Key",
    taskId: null,
    errorCode: null,
    durationMs: 1,
    at: NOW - daysAgo * DAY,
  });
  const young = call(29);
  await createClientCallStore(db).insertAll([call(31), young]);
  const left = async () => (await db.query("select id from client_call")).map((row) => row["id"]);
  await openRetention(0).sweep();
  expect(await left()).toHaveLength(2);
  await openRetention(30).sweep();
  expect(await left()).toEqual([young.id]);
});
