import { createRequire } from "node:module";
import { basename } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker, type WorkerOptions } from "node:worker_threads";

/**
 * Starts `new URL("./x.worker.ts", import.meta.url)` from source and from the build. From source, tsx loads the
 * TypeScript, which Node 20 cannot. In the build, every worker is a flat `x.worker.js` next to the bundle that contains
 * this module.
 */
export function startWorker(source: URL, options: WorkerOptions = {}): Worker {
  if (import.meta.url.endsWith(".ts")) return new Worker(throughTsx(source), options);
  const name = basename(fileURLToPath(source)).replace(/\.ts$/, ".js");
  return new Worker(new URL(`./${name}`, import.meta.url), options);
}

// `--import tsx` is ignored in the threads of Node 20, so the first module of the thread registers it.
function throughTsx(source: URL): URL {
  const api = createRequire(import.meta.url).resolve("tsx/esm/api");
  // require finds the CommonJS version, whose register() looks for its hooks in the wrong folder.
  const tsx = pathToFileURL(api.replace(/\.cjs$/, ".mjs")).href;
  const script = `import { register } from ${JSON.stringify(tsx)}; register(); await import(${JSON.stringify(source.href)});`;
  return new URL(`data:text/javascript,${encodeURIComponent(script)}`);
}
