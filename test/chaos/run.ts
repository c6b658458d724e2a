import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runChaos } from "./chaos.ts";
import { runCluster } from "./run-cluster.ts";
import { buildCrashChild, crashModes, sweepCrashes } from "./crash-sweep.ts";

/**
 * `npm run chaos -- --seed 7 --kills 100 --minutes 5 [--points]`, or `--postgres --seed 7 --faults 60`: exits with 1 when
 * anything was lost or repeated.
 */
export async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: "string", default: String(Math.floor(Math.random() * 1e6)) },
      kills: { type: "string", default: "100" },
      minutes: { type: "string", default: "10" },
      // Crashes once at every write of a run instead of at random moments.
      points: { type: "boolean", default: false },
      // Three processes on a PostgreSQL server, and faults of five kinds; `--kinds stop,cut` narrows a failure down.
      postgres: { type: "boolean", default: false },
      faults: { type: "string", default: "60" },
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
  if (values.postgres) {
    const { faults, minutes, kinds, roles, pgbouncer: program, direct } = values;
    const pooler =
      program === undefined
        ? undefined
        : { program, mode: values["pool-mode"], size: values["pool-size"], direct };
    return runCluster({ seed, faults: Number(faults), minutes: Number(minutes), kinds, roles, pooler });
  }
  const dataDir = mkdtempSync(join(tmpdir(), "baton-chaos-"));
  console.log(
    `seed ${seed}, at least ${values.kills} kills, at most ${values.minutes} minutes, in ${dataDir}`,
  );
  const report = await runChaos({
    dataDir,
    seed,
    kills: Number(values.kills),
    maxMs: Number(values.minutes) * 60_000,
    log: console.log,
  });
  const { kills, accepted, tasks, entries, lost, faults, recoveries } = report;
  const at = (share: number): string =>
    `${Math.round(recoveries[Math.floor(recoveries.length * share)] ?? 0)} ms`;
  console.log(`
| kills | accepted | tasks on disk | journal entries | lost | repeated or otherwise wrong | start after a kill, median | 95 % | longest |
|---|---|---|---|---|---|---|---|---|
| ${kills} | ${accepted} | ${tasks} | ${entries} | ${lost.length} | ${faults.length} | ${at(0.5)} | ${at(0.95)} | ${at(0.999)} |
`);
  for (const line of [...lost, ...faults].slice(0, 50)) console.log(line);
  if (lost.length + faults.length > 0) {
    console.log(`The files are kept in ${dataDir}.`);
    process.exitCode = 1;
  } else rmSync(dataDir, { recursive: true, force: true });
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
