import { expect, onTestFinished, test } from "vitest";
import { claim } from "../../engine/testing/store-samples.ts";
import { useDatabase } from "../../../test/support/postgres.ts";
import { useTemporaryFolder } from "../../../test/support/test-app.ts";
import { NO_USAGE } from "../../models/language-model.ts";
import type { Db, SqlValue } from "../db.ts";
import { createEngineStore } from "../engine/engine-store.ts";
import { migrate } from "../migrate.ts";
import { createSessionStore } from "../../teams/store/session.sql.ts";
import { createSessionTaskStore } from "../../teams/store/session-task.sql.ts";
import { openPostgres } from "../postgres/open-postgres.ts";
import { openSqlite } from "../sqlite/sqlite-db.ts";
import { migrations } from "./all.ts";

let db: Db;

const databases = [
  ["SQLite", async () => openSqlite({ folder: await useTemporaryFolder() })],
  ["PostgreSQL", async () => openPostgres({ url: await useDatabase() })],
] as const;

async function before(open: () => Promise<Db>): Promise<void> {
  db = await open();
  onTestFinished(() => db.close());
  await migrate(
    db,
    migrations.filter(({ version }) => version < 7),
    0,
  );
  await db.batch([
    { sql: "insert into account (id, email, password_hash, created_at) values ('user_1', 'a@b.c', '', 0)" },
    {
      sql: `insert into team (id, owner_id, name, description, agents, external_agents, topology, secret_hash, created_at, updated_at)
            values ('team_1', 'user_1', '', '', '[]', '[]', 'mesh', '', 0, 0)`,
    },
  ]);
}

interface Before {
  status: string;
  workerId?: string;
  runAt?: number;
  completedAt?: number;
}

/** A session before the migration: one message from outside, two entries of one turn. */
async function session(id: string, { status, workerId, runAt, completedAt }: Before): Promise<void> {
  const message = (seq: number, fromId: string, seen: SqlValue, outside: number) => ({
    sql: `insert into session_message (session_id, seq, id, dedupe_key, from_id, from_type, to_id, to_type, type, content, seen, outside, created_at)
          values ($1, $2, $6, $7, $3, 'internal', 'broadcast', 'system', 'agent_message', '{}', $4, $5, 0)`,
    params: [id, seq, fromId, seen, outside, `msg_${id}_${seq}`, seq === 1 ? "run key" : null],
  });
  await db.batch([
    {
      sql: `insert into session (id, team_id, owner_id, objective, status, input_tokens, output_tokens, last_seq, last_write, epoch, wake, worker_id,
              run_at, lives, lives_seq, created_at, completed_at)
            values ($1, 'team_1', 'user_1', 'Go', $2, 0, 0, 3, '', 4, 2, $3, $4, 0, 0, 1, $5)`,
      params: [id, status, workerId ?? null, runAt ?? null, completedAt ?? null],
    },
    message(1, "user_1", null, 1),
    message(2, "agent_1", 1, 0),
    message(3, "agent_1", 1, 0),
  ]);
}

test.each(databases)(
  "on %s every session gets a task that is due, parked or cancelled like the session",
  async (_name, open) => {
    await before(open);
    await session("sess_joining", { status: "waiting", runAt: 500 });
    await session("sess_driven", { status: "active", workerId: "worker_1" });
    await session("sess_ended", { status: "completed", completedAt: 9 });
    await session("sess_cancelled", { status: "cancelled", completedAt: 9 });
    await migrate(db, migrations, 0);

    const tasks = createEngineStore(db);
    expect(await claim(tasks, "worker_2", 9, 1000)).toEqual([]);
    const due = (await claim(tasks, "worker_2", 9, 1000, "session")).sort((a, b) => a.id.localeCompare(b.id));
    expect(due).toMatchObject([
      { id: "sess_driven", epoch: 5, wake: 2, ownerId: "user_1" },
      { id: "sess_joining", epoch: 5 },
    ]);
    expect(await tasks.task("sess_ended")).toMatchObject({ status: "waiting", completedAt: null });
    expect(await tasks.task("sess_cancelled")).toMatchObject({ status: "cancelled", completedAt: 9 });

    const sessions = createSessionStore(db);
    expect(await sessions.findInTeam("sess_driven", "team_1")).toMatchObject({ status: "active", turns: 1 });
    const said = (id: string) => ({
      id,
      from: { id: "user_1", type: "user" },
      to: { id: "broadcast", type: "system" },
      type: "user_prompt" as const,
      content: {},
      seen: null,
      outside: true,
      dedupeKey: null,
    });
    expect(await createSessionTaskStore(db).record(due[0]!, [said("msg_a")], NO_USAGE, 1000)).toMatchObject({
      firstSeq: 4,
    });
    expect(await sessions.post("sess_ended", said("msg_b"), 1000)).toMatchObject({
      seq: 4,
      status: "active",
    });
    expect((await tasks.pollDue(1, -1, "session")).next).toBe(1000);
    // All sessions were started with one key; the newest one keeps it.
    const keys = await db.query("select id, begin_key from session where begin_key is not null");
    expect(keys).toEqual([{ id: "sess_joining", begin_key: "run key" }]);
  },
);
