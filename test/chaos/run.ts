import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type ChaosReport, runChaos } from "./chaos.ts";
import { explainedText, runCluster, SLOW_MS } from "./run-cluster.ts";
import { buildCrashChild, crashModes, sweepCrashes } from "./crash-sweep.ts";

/**
 * `npm run chaos -- --seed 7 --faults 1000`: as many faults for one process on SQLite, then for three on PostgreSQL.
 * `--kills 100` runs only the first, `--postgres --faults 60` only the second, `--points` a crash at every write. Exits
 * with 1 when anything was lost, or repeated without a crash that explains it.
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
  if (!values.postgres) await runKills(seed, Number(values.kills ?? faults ?? 100), limit, callPauseMs);
  if (values.postgres || (faults !== undefined && values.kills === undefined)) {
    const { kinds, roles, pgbouncer: program, direct } = values;
    const pooler =
      program === undefined
        ? undefined
        : { program, mode: values["pool-mode"], size: values["pool-size"], direct };
    const count = Number(faults ?? 60);
    await runCluster({ seed, faults: count, minutes: limit, callPauseMs, kinds, roles, pooler });
  }
}

/** After each kill the whole history is read: with a new folder for so many faults, the last fault takes no longer than the first. */
const FAULTS_PER_FOLDER = 20;

/** One process on SQLite. */
async function runKills(
  seed: number,
  count: number,
  minutes: number | undefined,
  callPauseMs = 20,
): Promise<void> {
  const limit = minutes === undefined ? "" : `at most ${minutes} minutes, `;
  console.log(`seed ${seed}, ${count} faults, ${limit}one process`);
  const until = performance.now() + (minutes ?? Infinity) * 60_000;
  const reports: ChaosReport[] = [];
  for (let done = 0; done < count && performance.now() < until; done += FAULTS_PER_FOLDER) {
    const dataDir = mkdtempSync(join(tmpdir(), "baton-chaos-"));
    const faults = Math.min(FAULTS_PER_FOLDER, count - done);
    const maxMs = until - performance.now();
    const report = await runChaos({
      dataDir,
      seed: seed + done,
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
    if (lost.length + wrong.length > 0) console.log(`The files are kept in ${dataDir}, seed ${seed + done}.`);
    else rmSync(dataDir, { recursive: true, force: true });
  }
  printKills(reports);
  if (reports.some(({ lost, faults }) => lost.length + faults.length > 0)) process.exitCode = 1;
}

function printKills(reports: readonly ChaosReport[]): void {
  const recoveries = reports.flatMap((report) => report.recoveries).toSorted((a, b) => a - b);
  const at = (share: number): string =>
    `${Math.round(recoveries[Math.floor(recoveries.length * share)] ?? 0)} ms`;
  const explained = {
    killed: sum(reports, (report) => report.explained.killed),
    "taken over": sum(reports, (report) => report.explained["taken over"]),
    "in flight": sum(reports, (report) => report.explained["in flight"]),
  };
  const poisoned = sum(reports, (report) => report.poisoned);
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

${explainedText({ explained, poisoned })}
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
