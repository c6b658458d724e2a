import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type ChaosReport, runChaos } from "./chaos.ts";
import { explainedText, runClusters, SLOW_MS } from "./run-cluster.ts";
import { buildCrashChild, crashModes, sweepCrashes } from "./crash-sweep.ts";

/**
 * `npm run chaos -- --seed 7 --faults 1000`: as many faults for one process on SQLite, then for three on PostgreSQL.
 * `--kills 100` runs only the first, `--postgres --faults 60` only the second, `--points` a crash at every write, and
 * `--parallel 3` three of them at a time. Exits with 1 when anything was lost, or repeated without a crash that explains it.
 */
export async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: "string", default: String(Math.floor(Math.random() * 1e6)) },
      kills: { type: "string" },
      // For each mode. Without it, 10 unless --faults is given.
      minutes: { type: "string" },
      // Crashes once at every write of a run instead of at random moments.
      points: { type: "boolean", default: false },
      // Three processes on a PostgreSQL server, and faults of seven kinds; `--kinds stop,cut` narrows a failure down.
      postgres: { type: "boolean", default: false },
      // Number of faults in each mode.
      faults: { type: "string" },
      // Pause of each caller after each call, in milliseconds: longer ones make more faults per hour and fewer tasks.
      "call-pause": { type: "string" },
      // Folders or clusters under test at the same time: most of a run waits for slow steps and leases.
      parallel: { type: "string", default: "1" },
      kinds: { type: "string", default: "" },
      roles: { type: "string", default: "" },
      // Behind a local PgBouncer: the program, its mode, its connections, and whether LISTEN bypasses it.
      pgbouncer: { type: "string" },
      "pool-mode": { type: "string", default: "transaction" },
      "pool-size": { type: "string", default: "20" },
      direct: { type: "boolean", default: false },
    },
  });
  if (values.points) return sweepAll();
  const seed = Number(values.seed);
  const { faults, minutes = faults === undefined ? "10" : undefined } = values;
  const limit = minutes === undefined ? undefined : Number(minutes);
  const callPauseMs = values["call-pause"] === undefined ? undefined : Number(values["call-pause"]);
  const parallel = Number(values.parallel);
  if (!values.postgres)
    await runKills({
      seed,
      count: Number(values.kills ?? faults ?? 100),
      minutes: limit,
      callPauseMs,
      parallel,
    });
  if (values.postgres || (faults !== undefined && values.kills === undefined)) {
    const { kinds, roles, pgbouncer: program, direct } = values;
    const pooler =
      program === undefined
        ? undefined
        : { program, mode: values["pool-mode"], size: values["pool-size"], direct };
    const count = Number(faults ?? 60);
    await runClusters({ seed, faults: count, minutes: limit, callPauseMs, parallel, kinds, roles, pooler });
  }
}

/** After each kill the whole history is read: with a new folder for so many faults, the last fault takes no longer than the first. */
const FAULTS_PER_FOLDER = 20;

interface KillOptions {
  seed: number;
  count: number;
  minutes: number | undefined;
  callPauseMs: number | undefined;
  /** Folders at the same time, each with its own process. */
  parallel: number;
}

/** One process on SQLite. */
async function runKills({ seed, count, minutes, callPauseMs = 20, parallel }: KillOptions): Promise<void> {
  const limit = minutes === undefined ? "" : `at most ${minutes} minutes, `;
  const several = parallel === 1 ? "" : `, ${parallel} folders at a time`;
  console.log(`seed ${seed}, ${count} faults, ${limit}one process${several}`);
  const until = performance.now() + (minutes ?? Infinity) * 60_000;
  const reports: ChaosReport[] = [];
  let started = 0;
  async function runFolders(): Promise<void> {
    while (started < count && performance.now() < until) {
      const faults = Math.min(FAULTS_PER_FOLDER, count - started);
      const folderSeed = seed + started;
      started += faults;
      await runFolder(folderSeed, faults);
    }
  }
  async function runFolder(folderSeed: number, faults: number): Promise<void> {
    const dataDir = mkdtempSync(join(tmpdir(), "baton-chaos-"));
    const maxMs = until - performance.now();
    const report = await runChaos({
      dataDir,
      seed: folderSeed,
      faults,
      maxMs,
      slowMs: SLOW_MS,
      callPauseMs,
    });
    reports.push(report);
    const { lost, faults: wrong } = report;
    console.log(
      `${sum(reports, ({ kills, stalls }) => kills + stalls)} faults, ${report.accepted} tasks accepted in the last folder, ${lost.length} lost, ${wrong.length} otherwise wrong`,
    );
    for (const line of [...lost, ...wrong].slice(0, 50)) console.log(line);
    if (lost.length + wrong.length > 0) console.log(`The files are kept in ${dataDir}, seed ${folderSeed}.`);
    else rmSync(dataDir, { recursive: true, force: true });
  }
  await Promise.all(Array.from({ length: parallel }, runFolders));
  printKills(reports);
  if (reports.some(({ lost, faults }) => lost.length + faults.length > 0)) process.exitCode = 1;
}

function printKills(reports: readonly ChaosReport[]): void {
  const recoveries = reports.flatMap((report) => report.recoveries).toSorted((a, b) => a - b);
  const at = (share: number): string =>
    `${Math.round(recoveries[Math.floor(recoveries.length * share)] ?? 0)} ms`;
  const counts = [
    sum(reports, ({ kills }) => kills),
    sum(reports, ({ stalls }) => stalls),
    sum(reports, ({ accepted }) => accepted),
    sum(reports, ({ tasks }) => tasks),
    sum(reports, ({ entries }) => entries),
    sum(reports, ({ lost }) => lost.length),
    sum(reports, ({ faults }) => faults.length),
  ];
  console.log(`
| kills | stalls | accepted | tasks on disk | journal entries | lost | repeated without a cause or otherwise wrong | start after a kill, median | 95 % | longest |
|---|---|---|---|---|---|---|---|---|---|
| ${counts.join(" | ")} | ${at(0.5)} | ${at(0.95)} | ${at(0.999)} |

${explainedText(reports)}
`);
}

function sum(reports: readonly ChaosReport[], value: (report: ChaosReport) => number): number {
  return reports.reduce((total, report) => total + value(report), 0);
}

async function sweepAll(): Promise<void> {
  await buildCrashChild();
  const folder = mkdtempSync(join(tmpdir(), "baton-crash-"));
  console.log("| the process crashes | processes | faults |\n|---|---|---|");
  for (const mode of crashModes) {
    const { processes, faults } = await sweepCrashes(join(folder, mode), mode, 1, 1);
    console.log(`| ${mode} | ${processes} | ${faults.length} |`);
    for (const fault of faults.slice(0, 20)) console.log(fault);
    if (faults.length > 0) process.exitCode = 1;
  }
  rmSync(folder, { recursive: true, force: true });
}
