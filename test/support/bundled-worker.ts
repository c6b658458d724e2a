import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker, type WorkerOptions } from "node:worker_threads";
import { buildSync } from "esbuild";
import { workerBundle } from "../../scripts/worker-bundle.mjs";

// Inside node_modules, so that the bundle finds its packages.
const folder = fileURLToPath(new URL("../../node_modules/.cache/baton-workers/", import.meta.url));
const server = fileURLToPath(new URL("../../server/", import.meta.url));

// At once, because tests measure what blocks the event loop.
const bundles = new Map(
  readdirSync(server, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".worker.ts"))
    .map((path) => pathToFileURL(join(server, path)))
    .map((source) => [source.href, bundle(source)]),
);

/**
 * Takes the place of `server/lib/worker-file.ts` in tests: bundles each worker once, as the build does. Loading its
 * modules through tsx takes a second for every document that a test uploads.
 */
export function startWorker(source: URL, options: WorkerOptions = {}): Worker {
  return new Worker(pathToFileURL(bundles.get(source.href)!), options);
}

export function workerProgram(source: URL): { file: string; execArgv: string[] } {
  return { file: bundles.get(source.href)!, execArgv: [] };
}

function bundle(source: URL): string {
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(source)],
    ...workerBundle,
    // Files beside the sources are found as if the worker ran from source.
    define: { "import.meta.url": JSON.stringify(source.href) },
    write: false,
  });
  const code = outputFiles[0]!.contents;
  const hash = createHash("sha256").update(code).digest("hex").slice(0, 16);
  const file = join(folder, `${basename(fileURLToPath(source), ".ts")}-${hash}.js`);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  // Another process may write the same file.
  const own = `${file}.${process.pid}`;
  writeFileSync(own, code);
  renameSync(own, file);
  return file;
}
