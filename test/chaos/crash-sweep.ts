import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { type CrashMode, type CrashPlan, EXPECTED } from "./crash-child.ts";
import { changesOf, faultsOf, type History, readHistory } from "./history.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const bundle = join(root, "dist", "test", "crash-child.js");

export const crashModes = ["before", "after", "unsynced"] as const satisfies CrashMode[];

/** Bundled into one file, packages included, it starts in a fifth of the time, and a sweep starts hundreds. */
export async function buildCrashChild(): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: ["test/chaos/crash-child.ts"],
    outfile: bundle,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    // For packages that are CommonJS and require Node's modules.
    banner: {
      js: 'import { createRequire as newRequire } from "node:module"; const require = newRequire(import.meta.url);',
    },
  });
}

export interface SweepReport {
  processes: number;
  faults: string[];
}

/**
 * One process per `stride`-th point: each first completes what earlier ones left behind, then runs
 * into its own crash one stride further, until one completes.
 */
export async function sweepCrashes(
  folder: string,
  mode: CrashMode,
  first: number,
  stride: number,
): Promise<SweepReport> {
  const faults = new Set<string>();
  let before: History = { tasks: new Map(), entries: new Map() };
  let processes = 0;
  for (let at = first; ; at += stride) {
    processes += 1;
    const ended = await live({ folder, mode, at, run: processes });
    const history = readHistory(folder);
    for (const fault of [...faultsOf(history), ...changesOf(before, history)]) faults.add(fault);
    before = history;
    if (ended.killed) continue;
    if (!/^passed \d+\n$/.test(ended.output)) faults.add(`point ${at}: ${ended.output}`);
    break;
  }
  for (const fault of wrongEnds(folder, before)) faults.add(fault);
  return { processes, faults: [...faults] };
}

function* wrongEnds(folder: string, { tasks }: History): Generator<string> {
  const inputs = new Set<number>();
  for (const { id, workflowId, status, result, input } of tasks.values()) {
    if (status !== "completed") yield `${id}: ended ${status}`;
    if (workflowId !== "wf_main") continue;
    const { output } = JSON.parse(result ?? "{}") as { output?: unknown };
    if (JSON.stringify(output) !== EXPECTED) yield `${id}: ended with ${JSON.stringify(output)}`;
    const { n } = JSON.parse(input) as { n: number };
    if (inputs.has(n)) yield `run ${n}: one key made two tasks`;
    inputs.add(n);
  }
  const acknowledged = readFileSync(join(folder, "accepted.log"), "utf8").trim().split("\n").map(Number);
  for (const n of acknowledged) if (!inputs.has(n)) yield `run ${n}: acknowledged and lost`;
  yield* readFileSync(join(folder, "executions.log"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("REPEATED"));
}

function live(plan: CrashPlan): Promise<{ killed: boolean; output: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [bundle, JSON.stringify(plan)], (error, stdout, stderr) => {
      clearTimeout(hung);
      resolve({ killed: error?.signal === "SIGKILL", output: stdout + stderr });
    });
    // Another signal than the crash itself, so that a hanging process differs from a crashed one.
    const hung = setTimeout(() => child.kill("SIGTERM"), 30_000);
  });
}
