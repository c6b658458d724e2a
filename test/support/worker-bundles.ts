import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { workerBundle } from "../../scripts/worker-bundle.mjs";

// Inside node_modules, so that the bundle finds its packages.
const folder = fileURLToPath(new URL("../../node_modules/.cache/baton-workers/", import.meta.url));
const server = fileURLToPath(new URL("../../server/", import.meta.url));

/**
 * Vitest's global setup: bundles every worker once, as the build does. Loading the modules of a worker through tsx takes a
 * second for every document that a test uploads.
 */
export async function setup(): Promise<void> {
  // By the setup of another project of this run.
  if (process.env["BATON_TEST_WORKERS"] !== undefined) return;
  const sources = readdirSync(server, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".worker.ts"))
    .map((path) => pathToFileURL(join(server, path)));
  const bundles = await Promise.all(sources.map(async (source) => [source.href, await bundle(source)]));
  process.env["BATON_TEST_WORKERS"] = JSON.stringify(Object.fromEntries(bundles));
}

async function bundle(source: URL): Promise<string> {
  const { outputFiles } = await build({
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
  // Another run may write the same file.
  const own = `${file}.${process.pid}`;
  writeFileSync(own, code);
  renameSync(own, file);
  return file;
}
