import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ClusterChaosReport, runClusterChaos } from "./cluster-chaos.ts";
import type { Role } from "./cluster.ts";
import type { FaultKind } from "./cluster-faults.ts";
import { runFourth } from "./fourth-process.ts";
import type { PoolerSettings } from "./own-pooler.ts";

export interface ClusterRunOptions {
  seed: number;
  faults: number;
  /** No limit when undefined. */
  minutes: number | undefined;
  /** Pause of each caller between two calls; the default of the run when undefined. */
  callPauseMs: number | undefined;
  /** Clusters at the same time, each with its own server and its share of the faults. */
  parallel: number;
  /** Comma-separated; all of them when empty. */
  kinds: string;
  /** Comma-separated; one of each when empty. */
  roles: string;
  pooler: PoolerSettings | undefined;
}

const LEASE_MS = 3000;
/** Most are shorter than the lease, some far longer. */
export const SLOW_MS = { min: 2000, max: 20_000 };

/** `--postgres`: exits with 1 when anything was lost, repeated or wrong. */
export async function runClusters(options: ClusterRunOptions): Promise<void> {
  const { seed, faults, minutes, parallel, roles, pooler } = options;
  console.log(
    `seed ${seed}, ${faults} faults, ${minutes === undefined ? "" : `at most ${minutes} minutes, `}${roles || "three processes"} on PostgreSQL${pooler === undefined ? "" : ` behind PgBouncer (${pooler.mode}, ${pooler.size})`}, a lease of ${LEASE_MS} ms${parallel === 1 ? "" : `, ${parallel} clusters at a time`}`,
  );
  const reports = await Promise.all(
    Array.from({ length: parallel }, (_, index) =>
      runCluster({ ...options, seed: seed + index, faults: Math.floor((faults + index) / parallel) }),
    ),
  );
  printReport(reports);
  await addFourth();
}

async function runCluster(options: ClusterRunOptions): Promise<ClusterChaosReport> {
  const { seed, faults, minutes, callPauseMs, parallel, kinds, roles, pooler } = options;
  const folder = mkdtempSync(join(tmpdir(), "baton-chaos-"));
  const report = await runClusterChaos({
    folder,
    seed,
    faults,
    ...(kinds !== "" && { kinds: kinds.split(",") as FaultKind[] }),
    ...(roles !== "" && { roles: roles.split(",") as Role[] }),
    ...(callPauseMs !== undefined && { callPauseMs }),
    pooler,
    maxMs: (minutes ?? Infinity) * 60_000,
    leaseMs: LEASE_MS,
    slowMs: SLOW_MS,
    log: (line) => console.log(parallel === 1 ? line : `seed ${seed}: ${line}`),
  });
  rmSync(folder, { recursive: true, force: true });
  const { lost, repeated, wrong } = report;
  for (const [kind, lines] of Object.entries({ lost, repeated, wrong }))
    for (const line of lines.slice(0, 25)) console.log(`${kind}: ${line}`);
  if (lost.length + repeated.length + wrong.length > 0) {
    console.log(`Run it again with --postgres --seed ${seed} --faults ${faults}.`);
    process.exitCode = 1;
  }
  return report;
}

async function addFourth(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "baton-chaos-"));
  const fourth = await runFourth(folder);
  console.log(`
A fourth process joins two workers that have ${fourth.queued} tasks waiting for a slot: ready after ${fourth.readyMs} ms, its first
task ${fourth.firstTaskMs} ms after its start; of ${fourth.takenByAll} tasks claimed in the 5 s after it was ready it took ${fourth.taken} (${percent(fourth.taken / fourth.takenByAll)}).`);
  if (fourth.taken === 0) process.exitCode = 1;
  rmSync(folder, { recursive: true, force: true });
}

function printReport(reports: readonly ClusterChaosReport[]): void {
  const total = (value: (report: ClusterChaosReport) => number): number =>
    reports.reduce((sum, report) => sum + value(report), 0);
  const injected = reports.flatMap((report) => report.injected);
  const recoveries = reports.flatMap((report) => report.recoveries);
  const durations = reports.flatMap((report) => report.durations).toSorted((a, b) => a - b);
  const recoveryOf = (kind: FaultKind): number[] =>
    recoveries.flatMap((each) => (each.kind === kind ? [each.ms] : [])).toSorted((a, b) => a - b);
  const all = recoveries.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const counts = [
    total(({ accepted }) => accepted),
    total(({ refused }) => refused),
    total(({ unanswered }) => unanswered),
    total(({ tasks }) => tasks),
    total(({ entries }) => entries),
    total(({ sessions }) => sessions),
    total(({ lost }) => lost.length),
    total(({ repeated }) => repeated.length),
    total(({ wrong }) => wrong.length),
  ];
  const row = (name: string, times: number[]): string =>
    `| ${name} | ${times.length} | ${median(times)} | ${longest(times)} |`;
  console.log(`
| faults | accepted | refused (503) | unanswered, asked again | tasks | journal entries | sessions | lost | repeated without a cause | otherwise wrong |
|---|---|---|---|---|---|---|---|---|---|
| ${injected.length} | ${counts.join(" | ")} |

| fault | count | median time to the next completed task | longest |
|---|---|---|---|
${[...new Set(injected.map(({ kind }) => kind))].map((kind) => row(kind, recoveryOf(kind))).join("\n")}
${row("all", all)}

From acceptance to end, a task took ${median(durations)} in the median and ${longest(durations)} at most, without tasks that waited for approval.
${explainedText(reports)}
`);
}

/** Every effect that was executed and not recorded, with its cause. */
export function explainedText(
  reports: readonly Pick<ClusterChaosReport, "explained" | "poisoned">[],
): string {
  const total = (value: (report: (typeof reports)[number]) => number): number =>
    reports.reduce((sum, report) => sum + value(report), 0);
  const killed = total(({ explained }) => explained.killed);
  const takenOver = total(({ explained }) => explained["taken over"]);
  const inFlight = total(({ explained }) => explained["in flight"]);
  const poisoned = total((report) => report.poisoned);
  return `${killed + takenOver + inFlight} effects were executed and not recorded: in ${killed} cases the process was killed in between, in ${takenOver} it was silent
for longer than the lease and another process had taken the task over, and ${inFlight} calls were sent before their process was suspended
and arrived after it continued. ${poisoned} tasks were failed as poison_task after three such crashes without progress.`;
}

const median = (sorted: number[]): string => `${Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0)} ms`;
const longest = (sorted: number[]): string => `${Math.round(sorted.at(-1) ?? 0)} ms`;
const percent = (share: number): string => `${Math.round(share * 100)} %`;
