import { parseArgs } from "node:util";
import { loadavg } from "node:os";
import { statusEntry } from "../../server/engine/testing/entry-samples.ts";
import { ending, newTask, NOW, step } from "../../server/engine/testing/store-samples.ts";
import { type Acceptance, writeGroup } from "../../server/storage/engine/write-group.ts";
import { migrate } from "../../server/storage/migrate.ts";
import { migrations } from "../../server/storage/migrations/all.ts";
import { openPostgres } from "../../server/storage/postgres/open-postgres.ts";
import { startPostgres } from "../../test/support/postgres-server.ts";
import { processTreeOf } from "../postgres.ts";
import { cpuMs } from "../process-cost.ts";

const INPUT = { name: "Ada", items: [1, 2, 3] };
const GREETING = '{"greeting":"Hello Ada, this is a result of about eighty characters"}';

/** A call of three pure steps that has ended, with ids as long as real ones. */
function acceptance(): Acceptance {
  const task = newTask({
    ownerId: "user_01JCZ6W4XKABCDEFGHJKMNPQRS",
    workflowId: "wf_01JCZ6W4XKABCDEFGHJKMNPQRS",
    workerId: "worker_01JCZ6W4XKABCDEFGHJKMNPQRS",
    trigger: "api",
    input: INPUT,
  });
  const steps = [1, 2, 3].map((seq) =>
    step(seq, `step${seq}`, { input: JSON.stringify(INPUT), output: GREETING }),
  );
  const entries = [...steps, statusEntry({ seq: 4, at: NOW })];
  return { task, first: { entries, change: ending("completed", { result: GREETING }) } };
}

/**
 * `node scripts/run.mjs bench/postgres-costs/writes.ts [--group 12]`: CPU time of this process and of the server for
 * storing calls of three pure steps, in groups as they arrive from concurrent callers.
 */
export async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { group: { type: "string", default: "12" }, rounds: { type: "string", default: "5" } },
  });
  const [group, groups] = [Number(values.group), Math.ceil(3000 / Number(values.group))];
  const server = await startPostgres({
    durable: true,
    settings: { shared_buffers: "256MB", full_page_writes: "off" },
  });
  const db = await openPostgres({ url: server.url, poolSize: 3 });
  try {
    await migrate(db, migrations, 0);
    console.log(`load ${loadavg()[0]!.toFixed(1)}, groups of ${group}, µs of CPU time per call`);
    // The first round warms up.
    for (let round = 0; round <= Number(values.rounds); round += 1) {
      const [ownBefore, serverBefore] = [process.cpuUsage(), cpuMs(processTreeOf(server.pid))];
      for (let count = 0; count < groups; count += 1)
        await writeGroup(db, Array.from({ length: group }, acceptance));
      const own = process.cpuUsage(ownBefore);
      const serverMs = cpuMs(processTreeOf(server.pid)) - serverBefore;
      const per = (us: number): string => (us / groups / group).toFixed(0);
      if (round > 0) console.log(`process ${per(own.user + own.system)}, server ${per(serverMs * 1000)}`);
    }
  } finally {
    await db.close();
    await server.close();
  }
}
