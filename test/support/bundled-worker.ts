import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker, type WorkerOptions } from "node:worker_threads";
import { buildSync } from "esbuild";

// Inside node_modules, so that the bundle finds its packages.
const folder = fileURLToPath(new URL("../../node_modules/.cache/baton-workers/", import.meta.url));
const bundles = new Map<string, string>();

/**
 * Takes the place of `server/lib/worker-file.ts` in tests: bundles each worker once, as the build does. Loading its
 * modules through tsx takes a second for every document that a test uploads.
 */
export function startWorker(source: URL, options: WorkerOptions = {}): Worker {
  const file = bundles.get(source.href) ?? bundle(source);
  bundles.set(source.href, file);
  return new Worker(pathToFileURL(file), options);
}

function bundle(source: URL): string {
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(source)],
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
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
