import { createRequire } from "node:module";
import { basename } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker, type WorkerOptions } from "node:worker_threads";

const isSource = import.meta.url.endsWith(".ts");

/**
 * Starts `new URL("./x.worker.ts", import.meta.url)` from source and from the build. From source, tsx loads the
 * TypeScript, which Node 20 cannot.
 */
export function startWorker(source: URL, options: WorkerOptions = {}): Worker {
  return new Worker(isSource ? throughTsx(source) : builtFile(source), options);
}

/** The same for a worker that is a process: its file, and the Node options that load it. */
export function workerProgram(source: URL): { file: string; execArgv: string[] } {
  if (!isSource) return { file: fileURLToPath(builtFile(source)), execArgv: [] };
  const tsx = createRequire(import.meta.url).resolve("tsx/esm");
  return { file: fileURLToPath(source), execArgv: ["--import", pathToFileURL(tsx).href] };
}

/** In the build, every worker is a flat `x.worker.js` next to the bundle that contains this module. */
function builtFile(source: URL): URL {
  const name = basename(fileURLToPath(source)).replace(/\.ts$/, ".js");
  return new URL(`./${name}`, import.meta.url);
}

// `--import tsx` is ignored in the threads of Node 20, so the first module of the thread registers it.
function throughTsx(source: URL): URL {
  const api = createRequire(import.meta.url).resolve("tsx/esm/api");
  // require finds the CommonJS version, whose register() looks for its hooks in the wrong folder.
  const tsx = pathToFileURL(api.replace(/\.cjs$/, ".mjs")).href;
  const script = `import { register } from ${JSON.stringify(tsx)}; register(); await import(${JSON.stringify(source.href)});`;
  return new URL(`data:text/javascript,${encodeURIComponent(script)}`);
}
