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
export async function runCluster(options: ClusterRunOptions): Promise<void> {
  const { seed, faults, minutes, callPauseMs, kinds, roles, pooler } = options;
  const folder = mkdtempSync(join(tmpdir(), "baton-chaos-"));
  console.log(
    `seed ${seed}, ${faults} faults, ${minutes === undefined ? "" : `at most ${minutes} minutes, `}${roles || "three processes"} on PostgreSQL${pooler === undefined ? "" : ` behind PgBouncer (${pooler.mode}, ${pooler.size})`}, a lease of ${LEASE_MS} ms`,
  );
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
    log: console.log,
  });
  printReport(report);
  const { lost, repeated, wrong } = report;
  for (const [kind, lines] of Object.entries({ lost, repeated, wrong }))
    for (const line of lines.slice(0, 25)) console.log(`${kind}: ${line}`);
  if (lost.length + repeated.length + wrong.length > 0) {
    console.log(`Run it again with --postgres --seed ${seed} --faults ${faults}.`);
    process.exitCode = 1;
  }
  const fourth = await runFourth(folder);
  console.log(`
A fourth process joins two workers that have ${fourth.queued} tasks waiting for a slot: ready after ${fourth.readyMs} ms, its first
task ${fourth.firstTaskMs} ms after its start; of ${fourth.takenByAll} tasks claimed in the 5 s after it was ready it took ${fourth.taken} (${percent(fourth.taken / fourth.takenByAll)}).`);
  if (fourth.taken === 0) process.exitCode = 1;
  rmSync(folder, { recursive: true, force: true });
}

function printReport(report: ClusterChaosReport): void {
  const { injected, recoveries, durations } = report;
  const recoveryOf = (kind: FaultKind): number[] =>
    recoveries.flatMap((each) => (each.kind === kind ? [each.ms] : [])).toSorted((a, b) => a - b);
  const all = recoveries.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const row = (name: string, times: number[]): string =>
    `| ${name} | ${times.length} | ${median(times)} | ${longest(times)} |`;
  console.log(`
| faults | accepted | refused (503) | unanswered, asked again | tasks | journal entries | sessions | lost | repeated without a cause | otherwise wrong |
|---|---|---|---|---|---|---|---|---|---|
| ${injected.length} | ${report.accepted} | ${report.refused} | ${report.unanswered} | ${report.tasks} | ${report.entries} | ${report.sessions} | ${report.lost.length} | ${report.repeated.length} | ${report.wrong.length} |

| fault | count | median time to the next completed task | longest |
|---|---|---|---|
${[...new Set(injected.map(({ kind }) => kind))].map((kind) => row(kind, recoveryOf(kind))).join("\n")}
${row("all", all)}

From acceptance to end, a task took ${median(durations)} in the median and ${longest(durations)} at most, without tasks that waited for approval.
${explainedText(report)}
`);
}

/** Every effect that was executed and not recorded, with its cause. */
export function explainedText({
  explained,
  poisoned,
}: Pick<ClusterChaosReport, "explained" | "poisoned">): string {
  const all = Object.values(explained).reduce((sum, count) => sum + count, 0);
  return `${all} effects were executed and not recorded: in ${explained.killed} cases the process was killed in between, in ${explained["taken over"]} it was silent
for longer than the lease and another process had taken the task over, and ${explained["in flight"]} calls were sent before their process was suspended
and arrived after it continued. ${poisoned} tasks were failed as poison_task after three such crashes without progress.`;
}

const median = (sorted: number[]): string => `${Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0)} ms`;
const longest = (sorted: number[]): string => `${Math.round(sorted.at(-1) ?? 0)} ms`;
const percent = (share: number): string => `${Math.round(share * 100)} %`;
