import { Client } from "pg";
import { createClaimStore } from "../../server/storage/engine/task-claims.ts";
import { migrate } from "../../server/storage/migrate.ts";
import { migrations } from "../../server/storage/migrations/all.ts";
import { openPostgres } from "../../server/storage/postgres/open-postgres.ts";
import { startPostgres } from "../../test/support/postgres-server.ts";
import { processTreeOf } from "../postgres.ts";
import { cpuMs } from "../process-cost.ts";

const FINISHED = 50_000;
const ROUNDS = 2000;
/** Due tasks per claim: about as many as a worker finds when fifty callers wait. */
const DUE = 4;
const [OWNER, LANE] = ["user_01JCZ6W4XKABCDEFGHJKMNPQRS", "task"];

const insertTasks = (count: number, from: number, columns: string, values: string): string => `
  insert into task (id, owner_id, workflow_id, workflow_version, trigger, input, depth, epoch, wake, lives, lives_seq, created_at, ${columns})
  select 'task_01JCZ6W4XK' || lpad(n::text, 16, '0'), '${OWNER}', 'wf_01JCZ6W4XKABCDEFGHJKMNPQRS', 1, 'api', '{"name":"Ada"}',
    0, 1, 0, 0, 0, n, ${values} from generate_series(${from}, ${from + count - 1}) as n`;

/** `node scripts/run.mjs bench/postgres-costs/claims.ts`: CPU time of the server for polling due tasks and claiming them. */
export async function main(): Promise<void> {
  const server = await startPostgres({
    durable: true,
    settings: { shared_buffers: "256MB", autovacuum_naptime: "1s" },
  });
  const db = await openPostgres({ url: server.url, poolSize: 3 });
  const client = new Client({ connectionString: server.url });
  try {
    await migrate(db, migrations, 0);
    await client.connect();
    const [{ pid }] = (await client.query<{ pid: number }>("select pg_backend_pid() as pid")).rows as [
      { pid: number },
    ];
    await client.query(insertTasks(FINISHED, 0, "status, completed_at", "'completed', n"));
    await client.query("vacuum analyze task");
    const store = createClaimStore(db);
    let backends: number[] = [];
    const measured = { poll: 0, claim: 0, claimed: 0 };
    for (let round = -200; round < ROUNDS; round += 1) {
      const from = FINISHED + (round + 200) * DUE;
      await client.query(insertTasks(DUE, from, "status, run_at", "'queued', n"));
      const now = from + DUE;
      if (round === 0) backends = processTreeOf(server.pid).filter((each) => each !== pid);
      const before = cpuMs(backends);
      const { due } = await store.pollDue(50, now, LANE);
      const polled = cpuMs(backends);
      const tasks = await store.claimDue("worker_1", due, now, LANE);
      if (round < 0) continue;
      measured.poll += polled - before;
      measured.claim += cpuMs(backends) - polled;
      measured.claimed += tasks.length;
    }
    const per = (ms: number): string => `${((ms / ROUNDS) * 1000).toFixed(0)} µs`;
    console.log(
      `${FINISHED} finished tasks, ${DUE} due: a poll ${per(measured.poll)}, a claim ${per(measured.claim)} of server CPU; ${measured.claimed / ROUNDS} claimed`,
    );
  } finally {
    await client.end();
    await db.close();
    await server.close();
  }
}
