import { expect, onTestFinished, test } from "vitest";
import { useDatabase } from "../../../test/support/postgres.ts";
import { useTemporaryFolder } from "../../../test/support/test-app.ts";
import { createEngineStore } from "../engine/engine-store.ts";
import { migrate } from "../migrate.ts";
import { openPostgres } from "../postgres/open-postgres.ts";
import { openSqlite } from "../sqlite/sqlite-db.ts";
import { taskWaiters } from "./072-task-waiters.ts";
import { workerSlots } from "./073-worker-slots.ts";
import { migrations } from "./all.ts";

const databases = [
  ["SQLite", async () => openSqlite({ folder: await useTemporaryFolder() })],
  ["PostgreSQL", async () => openPostgres({ url: await useDatabase() })],
] as const;

const TASK = `insert into task (id, owner_id, workflow_id, workflow_version, status, trigger, input, depth, epoch, wake, lives, lives_seq, created_at, run_at)
  values ($id, 'owner', 'workflow', 1, $status, 'api', '{"a":1}', 0, 1, 0, 0, 0, 5, cast($runAt as bigint))`;

test.each(databases)(
  "on %s migrations that were merged after newer ones are applied, and tasks from before are claimed",
  async (_name, open) => {
    const db = await open();
    onTestFinished(() => db.close());
    await migrate(
      db,
      migrations.filter(({ version }) => version !== taskWaiters.version && version !== workerSlots.version),
      1,
    );
    await db.batch([
      { sql: "insert into worker (id, started_at, heartbeat_at) values ('older', 1, 9)" },
      { sql: TASK, params: { id: "task_due", status: "queued", runAt: 5 } },
      { sql: TASK, params: { id: "task_ended", status: "completed", runAt: null } },
    ]);
    await migrate(db, migrations, 2);
    const store = createEngineStore(db);
    expect(await store.claimDue("worker", [{ ownerId: "owner", count: 5 }], 10)).toMatchObject([
      { id: "task_due", input: { a: 1 }, acceptedBy: null },
    ]);
    expect(await store.heartbeat("newer", 10, { slots: 1, aliveSince: 0 })).toEqual({
      processes: 2,
      workers: 0,
    });
    expect(await store.task("task_ended")).toMatchObject({ status: "completed" });
    const [row] = await db.query("select count(*) as count from schema_migration");
    expect(Number(row?.["count"])).toBe(migrations.length);
  },
);
