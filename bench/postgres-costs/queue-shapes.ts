import { Client } from "pg";
import { migrate } from "../../server/storage/migrate.ts";
import { migrations } from "../../server/storage/migrations/all.ts";
import { openPostgres } from "../../server/storage/postgres/open-postgres.ts";
import { startPostgres } from "../../test/support/postgres-server.ts";

const RUNS = 3000;

/** Statements of one run: `n` is its number. */
interface Shape {
  name: string;
  schema: string[];
  handedOver: string[];
  inPlace: string[];
}

const COLUMNS = `id, owner_id, workflow_id, workflow_version, status, trigger, input, depth, epoch, wake, lives, lives_seq, created_at, accepted_by`;
const VALUES = (status: string): string =>
  `'task_01JCZ6W4XK' || lpad(n::text, 16, '0'), 'user_01JCZ6W4XKABCDEFGHJKMNPQRS', 'wf_01JCZ6W4XKABCDEFGHJKMNPQRS', 1, '${status}', 'api',
   '{"name":"Ada"}', 0, 1, 0, 0, 0, 1760000000000 + n, '6f9619ff-8b86-d011-b42d-00c04fc964ff'`;
const ID = "'task_01JCZ6W4XK' || lpad(n::text, 16, '0')";
const OWNER = "'user_01JCZ6W4XKABCDEFGHJKMNPQRS'";
const WORKER = "'worker_01JCZ6W4XKABCDEFGHJKMNPQ'";
const RESULT = `result = '{"output":"a result of some forty characters here"}', completed_at = 1760000000000 + n`;

const today: Shape = {
  name: "task is the queue",
  schema: [],
  handedOver: [
    `insert into task (${COLUMNS}, run_at) values (${VALUES("queued")}, 1760000000000 + n)`,
    `update task set status = 'running', epoch = epoch + 1, worker_id = ${WORKER}, run_at = null, started_at = 1760000000000 + n where id = ${ID}`,
    `update task set status = 'completed', worker_id = null, ${RESULT} where id = ${ID}`,
  ],
  inPlace: [
    `insert into task (${COLUMNS}, worker_id, started_at) values (${VALUES("running")}, ${WORKER}, 1760000000000 + n)`,
    `update task set status = 'completed', worker_id = null, ${RESULT} where id = ${ID}`,
  ],
};

/** Running and queued tasks are in no list by status. */
const fewerEntries: Shape = {
  ...today,
  name: "task is the queue, queued and running tasks in one index less",
  schema: [
    "drop index task_not_completed",
    "create index task_not_completed on task (owner_id, status, id) where status not in ('completed', 'queued', 'running')",
  ],
};

/** What changes while a task is open is in a narrow row. The task is written when it is accepted and when it ends. */
const queueTable: Shape = {
  name: "a narrow queue table beside the task",
  schema: [
    "drop index task_not_completed",
    "drop index task_due",
    "drop index task_due_by_owner",
    "drop index task_by_worker",
    "create index task_open on task (owner_id, id) where completed_at is null",
    "create index task_not_completed on task (owner_id, status, id) where completed_at is not null and status <> 'completed'",
    `create table queue (task_id text primary key, lane text not null, owner_id text not null, status text not null,
       epoch bigint not null, wake bigint not null, run_at bigint, worker_id text)`,
    "create index queue_due on queue (lane, run_at) where run_at is not null",
    "create index queue_due_by_owner on queue (lane, owner_id, run_at) where run_at is not null",
    "create index queue_by_worker on queue (worker_id) where worker_id is not null",
  ],
  handedOver: [
    `insert into task (${COLUMNS}) values (${VALUES("open")})`,
    `insert into queue values (${ID}, 'task', ${OWNER}, 'queued', 1, 0, 1760000000000 + n, null)`,
    `update queue set status = 'running', epoch = epoch + 1, worker_id = ${WORKER}, run_at = null where task_id = ${ID}`,
    `update task set status = 'completed', started_at = 1760000000000 + n, ${RESULT} where id = ${ID}`,
    `delete from queue where task_id = ${ID}`,
  ],
  inPlace: [
    `insert into task (${COLUMNS}) values (${VALUES("open")})`,
    `insert into queue values (${ID}, 'task', ${OWNER}, 'running', 1, 0, null, ${WORKER})`,
    `update task set status = 'completed', started_at = 1760000000000 + n, ${RESULT} where id = ${ID}`,
    `delete from queue where task_id = ${ID}`,
  ],
};

/**
 * `node scripts/run.mjs bench/postgres-costs/queue-shapes.ts`: WAL and server time of one run for three shapes of the
 * queue (docs/decisions/029). Each statement commits by itself, as the writes of a run do.
 */
export async function main(): Promise<void> {
  const server = await startPostgres({ settings: { shared_buffers: "128MB", synchronous_commit: "off" } });
  console.log("| Shape | run | WAL bytes | rows written | server ms of 1,000 runs |\n|---|---|---|---|---|");
  try {
    for (const shape of [today, fewerEntries, queueTable])
      for (const life of ["handedOver", "inPlace"] as const) await measureShape(server.url, shape, life);
  } finally {
    await server.close();
  }
}

async function measureShape(url: string, shape: Shape, life: "handedOver" | "inPlace"): Promise<void> {
  const name = `shape_${Math.random().toString(36).slice(2)}`;
  const admin = new Client({ connectionString: url });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  const own = url.replace(/postgres$/, name);
  const db = await openPostgres({ url: own });
  await migrate(db, migrations, 0);
  await db.close();
  const client = new Client({ connectionString: own });
  await client.connect();
  for (const statement of shape.schema) await client.query(statement);
  const statements = shape[life].map((statement) => `${statement}; commit;`).join("\n");
  const loop = (from: number, to: number): string =>
    `do $$ begin for n in ${from}..${to} loop ${statements} end loop; end $$`;
  const walBytes = async (): Promise<number> =>
    Number((await client.query("select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as b")).rows[0].b);
  await client.query(loop(1, RUNS));
  await client.query("checkpoint");
  const [before, began] = [await walBytes(), performance.now()];
  await client.query(loop(RUNS + 1, 2 * RUNS));
  const ms = performance.now() - began;
  const bytes = (await walBytes()) - before;
  await client.end();
  console.log(
    `| ${shape.name} | ${life === "inPlace" ? "where it was accepted" : "handed over"} | ${Math.round(bytes / RUNS)} | ${shape[life].length} | ${Math.round((ms / RUNS) * 1000)} |`,
  );
}
