// What apps cost: `npm run bench:apps`. Start and memory of all built-in apps, and the CPU of an action against the same
// `http` step. Both are bundled like the service: a loader that compiles files as they are imported adds its own work.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import esbuild from "esbuild";
import { quantile } from "../statistics.ts";

const ROUNDS = 7;
const root = fileURLToPath(new URL("../..", import.meta.url));
// In the project, so that the packages are found.
const folder = mkdtempSync(join(root, "dist", ".bench-apps-"));

async function bundled(entry: string): Promise<string> {
  const outfile = join(folder, `${entry.replaceAll("/", "-")}.mjs`);
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
  });
  return outfile;
}

/** Loads the bundled apps in fresh processes. */
async function measureStart(): Promise<void> {
  const bundle = await bundled("apps/all.ts");
  // A first import loads the loader itself, which the service has done long before.
  const script = `await import("data:text/javascript,0"); global.gc(); const before = process.memoryUsage().heapUsed, cpu = process.cpuUsage();
    const { apps } = await import(${JSON.stringify(bundle)}); const used = process.cpuUsage(cpu); const ms = (used.user + used.system) / 1000; global.gc();
    console.log(JSON.stringify({ ms, bytes: process.memoryUsage().heapUsed - before, count: apps.length }));`;
  const runs = Array.from({ length: ROUNDS }, () => {
    const { stdout } = spawnSync(process.execPath, ["--expose-gc", "--input-type=module", "-e", script], {
      encoding: "utf8",
    });
    return JSON.parse(stdout) as { ms: number; bytes: number; count: number };
  });
  console.log(
    `${runs[0]?.count} apps: ${Math.min(...runs.map(({ ms }) => ms)).toFixed(1)} ms of CPU at the start (bar 20), ` +
      `${(
        quantile(
          runs.map(({ bytes }) => bytes),
          0.5,
        ) / 1e6
      ).toFixed(2)} MB (bar 10)`,
  );
}

async function measureCalls(): Promise<void> {
  spawnSync(process.execPath, [await bundled("bench/apps/calls.ts")], { stdio: "inherit" });
}

console.log(`Node ${process.version}; start: best of ${ROUNDS}`);
try {
  await measureStart();
  await measureCalls();
} finally {
  rmSync(folder, { recursive: true });
}
