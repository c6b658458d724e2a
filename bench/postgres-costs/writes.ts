import { parseArgs } from "node:util";
import { loadavg } from "node:os";
import type { JournalEntry } from "../../server/engine/journal/journal-entry.ts";
import type { NewTask, TaskChange } from "../../server/engine/store.ts";
import { type Acceptance, writeGroup } from "../../server/storage/engine/write-group.ts";
import { migrate } from "../../server/storage/migrate.ts";
import { migrations } from "../../server/storage/migrations/all.ts";
import { openPostgres } from "../../server/storage/postgres/open-postgres.ts";
import { startPostgres } from "../../test/support/postgres-server.ts";
import { processTreeOf } from "../postgres.ts";
import { cpuMs } from "../process-cost.ts";

const AT = 1_760_000_000_000;
const GREETING = '{"greeting":"Hello Ada, this is a result of about eighty characters"}';
let made = 0;

function acceptance(): Acceptance {
  made += 1;
  const task: NewTask = {
    id: `task_01JCZ6W4XK${String(made).padStart(16, "0")}`,
    ownerId: "user_01JCZ6W4XKABCDEFGHJKMNPQRS",
    lane: "task",
    workflowId: "wf_01JCZ6W4XKABCDEFGHJKMNPQRS",
    workflowVersion: 1,
    status: "running",
    trigger: "api",
    input: { name: "Ada", items: [1, 2, 3] },
    options: null,
    parentTaskId: null,
    parentStep: null,
    rootTaskId: null,
    depth: 0,
    epoch: 1,
    wake: 0,
    workerId: "worker_01JCZ6W4XKABCDEFGHJKMNPQRS",
    runAt: null,
    createdAt: AT + made,
    startedAt: AT + made,
    idempotency: undefined,
    entries: [],
  };
  const change: TaskChange = {
    status: "completed",
    runAt: null,
    seenWake: null,
    result: GREETING,
    resultRef: null,
    error: null,
    completedAt: AT + made,
  };
  return { task, first: { entries: [1, 2, 3].map(step).concat(end()), change } };
}

function step(seq: number): JournalEntry {
  return {
    seq,
    kind: "step",
    path: `step${seq}`,
    type: "transform",
    status: "completed",
    attempt: 1,
    final: true,
    input: '{"name":"Ada","items":[1,2,3]}',
    output: GREETING,
    outputRef: null,
    error: null,
    extra: null,
    startedAt: AT + made,
    at: AT + made,
  };
}

function end(): JournalEntry {
  return { seq: 4, kind: "status", status: "completed", error: null, at: AT + made };
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
