import { pathToFileURL } from "node:url";
import { Worker, type WorkerOptions } from "node:worker_threads";

/** Takes the place of `server/lib/worker-file.ts` in tests: starts the bundles of worker-bundles.ts. */
export function startWorker(source: URL, options: WorkerOptions = {}): Worker {
  return new Worker(pathToFileURL(bundleOf(source)), options);
}

export function workerProgram(source: URL): { file: string; execArgv: string[] } {
  return { file: bundleOf(source), execArgv: [] };
}

function bundleOf(source: URL): string {
  const bundles = JSON.parse(process.env["BATON_TEST_WORKERS"] ?? "{}") as Record<string, string>;
  const file = bundles[source.href];
  if (file === undefined)
    throw new Error("vitest's configuration lacks the global setup test/support/worker-bundles.ts");
  return file;
}
