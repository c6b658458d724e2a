import { limitsOf } from "../../server/limits/testing/limits-of.ts";
import { setMaxListeners } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createEngine } from "../../server/engine/engine.ts";
import type { Engine, RunnableWorkflow } from "../../server/engine/engine-api.ts";
import type { StepCall } from "../../server/engine/run/step-runner.ts";
import type { EngineStore } from "../../server/engine/store.ts";
import { createBlobs } from "../../server/lib/blob-store.ts";
import { systemClock } from "../../server/lib/clock.ts";
import type { Db } from "../../server/storage/db.ts";
import { createEngineStore } from "../../server/storage/engine/engine-store.ts";
import { writeGroup } from "../../server/storage/engine/write-group.ts";
import { createFolderStores } from "../../server/storage/files/folder-store.ts";
import { migrate } from "../../server/storage/migrate.ts";
import { migrations } from "../../server/storage/migrations/all.ts";
import { openPostgres } from "../../server/storage/postgres/open-postgres.ts";
import { openSqlite } from "../../server/storage/sqlite/sqlite-db.ts";
import { chain } from "../graphs.ts";
import { measureRecorder } from "./recorder-layers.ts";
import { quantile } from "../statistics.ts";

const CALLERS = 50;
const SLOWEST = "without both";

interface Variant {
  name: string;
  engine: Engine;
  cpuUs: number[];
  perSecond: number[];
}

/**
 * `npm run bench:commit [-- --calls 2000 --passes 7 --postgres postgres://…]`: the cost of each layer between a step's
 * result and the commit. The same calls run with each layer removed in turn, so that other load on the machine affects
 * all variants alike. Compares CPU time, not wall time.
 */
export async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      calls: { type: "string", default: "2000" },
      passes: { type: "string", default: "7" },
      postgres: { type: "string" },
    },
  });
  // As in the service: up to twenty steps of a run listen to one signal.
  setMaxListeners(0);
  const folder = mkdtempSync(join(tmpdir(), "baton-commit-"));
  const db =
    values.postgres === undefined ? openSqlite({ folder }) : await openPostgres({ url: values.postgres });
  await migrate(db, migrations, 0);
  const stores: [string, EngineStore][] = [
    ["as built", createEngineStore(db)],
    ["without the write queue", withoutQueue(db)],
    ["without group commit", createEngineStore(oneAtATime(db))],
    [SLOWEST, withoutQueue(oneAtATime(db))],
  ];
  console.log(`${CALLERS} callers, load ${loadavg()[0]!.toFixed(2)}\n`);
  console.log("| workload | layers | calls/s | CPU µs a call | of as built |\n|---|---|---|---|---|");
  for (const [workload, graph] of workloads()) {
    const variants: Variant[] = [];
    for (const [name, store] of stores)
      variants.push({ name, engine: await openEngine(store, folder), cpuUs: [], perSecond: [] });
    for (let pass = -1; pass < Number(values.passes); pass += 1)
      for (const variant of variants)
        // One sync per write takes ten times as long, so a tenth of the calls is enough.
        await measure(variant, graph, Number(values.calls) / (variant.name === SLOWEST ? 10 : 1), pass >= 0);
    const built = quantile(variants[0]!.cpuUs, 0.5);
    for (const { name, cpuUs, perSecond } of variants) {
      const cpu = quantile(cpuUs, 0.5);
      console.log(
        `| ${workload} | ${name} | ${quantile(perSecond, 0.5).toFixed(0)} | ${cpu.toFixed(0)} | ${(cpu / built).toFixed(3)} |`,
      );
    }
    for (const { engine } of variants) await engine.close();
  }
  await measureRecorder(createEngineStore(db), Number(values.passes));
  await db.close();
  rmSync(folder, { recursive: true, force: true });
}

function workloads(): [string, RunnableWorkflow][] {
  const runnable = (id: string, graph: RunnableWorkflow["graph"]): RunnableWorkflow => ({
    id,
    ownerId: "user_1",
    name: id,
    version: 1,
    graph,
  });
  const effects = ["a", "b", "c"].map((stepId) => ({ stepId, type: "http", url: "" }));
  const wide = Array.from({ length: 20 }, (_, index) => ({ stepId: `w${index}`, type: "http", url: "" }));
  return [
    ["three transforms", runnable("wf_pure", chain(3))],
    [
      "three effects in a row",
      runnable("wf_effects", {
        steps: effects,
        edges: [
          { id: "ab", source: "a", target: "b" },
          { id: "bc", source: "b", target: "c" },
        ],
      }),
    ],
    [
      "twenty effects at once",
      runnable("wf_wide", {
        steps: [{ stepId: "start", type: "transform", template: 1 }, ...wide],
        edges: wide.map(({ stepId }) => ({ id: stepId, source: "start", target: stepId })),
      }),
    ],
  ];
}

/** Every write is a separate batch; only the database groups them. */
function withoutQueue(db: Db): EngineStore {
  return {
    ...createEngineStore(db),
    accept: async (task, first) =>
      (await writeGroup(db, [{ task, first }]))[0] === true
        ? { inserted: true }
        : { inserted: false, taskId: null, bodyHash: null },
    record: async (write) => (await writeGroup(db, [write]))[0]!,
  };
}

/** Every batch is a separate transaction with its own sync. */
function oneAtATime(db: Db): Db {
  let last: Promise<unknown> = Promise.resolve();
  return {
    ...db,
    batch(statements, options) {
      const next = last.then(() => db.batch(statements, options));
      last = next.catch(() => undefined);
      return next;
    },
  };
}

async function openEngine(store: EngineStore, folder: string): Promise<Engine> {
  const engine = await createEngine({
    limits: limitsOf(),
    store,
    blobs: createBlobs(createFolderStores(folder).area("blobs")),
    clock: systemClock,
    runners: new Map([
      [
        "transform",
        { run: ({ fields }: StepCall) => Promise.resolve({ output: fields["template"] ?? null }) },
      ],
      ["http", { run: () => new Promise((resolve) => setImmediate(() => resolve({ output: "done" }))) }],
    ]),
    approvalUrl: (linkId) => `http://127.0.0.1/a/${linkId}`,
    resumeUrl: () => "",
    evaluate: () => Promise.resolve([]),
    vault: { variables: () => Promise.resolve({}), secrets: () => Promise.resolve({}) },
    loadWorkflow: () => Promise.reject(new Error("not needed")),
    currentWorkflow: () => Promise.reject(new Error("not needed")),
    concurrency: 2 * CALLERS,
    closeGraceMs: 1000,
    onError: (error) => console.error(error),
  });
  engine.claimTasks();
  return engine;
}

async function measure(
  { engine, cpuUs, perSecond }: Variant,
  workflow: RunnableWorkflow,
  calls: number,
  counts: boolean,
): Promise<void> {
  let left = calls;
  const call = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const { taskId } = await engine.start({ workflow, trigger: "api", input: { name: "Ada" } });
      await engine.settled(taskId, 60_000);
    }
  };
  const from = performance.now();
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: CALLERS }, call));
  const { user, system } = process.cpuUsage(before);
  if (!counts) return;
  cpuUs.push((user + system) / calls);
  perSecond.push((calls / (performance.now() - from)) * 1000);
}
