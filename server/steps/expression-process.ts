import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { ExpressionReply } from "./expression-message.ts";

/**
 * A process and not a thread: when a thread allocates one large object beyond its limit (`[1..10000000]`), V8 aborts the
 * whole process. Here only the child process ends.
 */
export async function startExpressionProcess(memoryMb: number): Promise<ChildProcess> {
  const { file, loader } = locate();
  const child = fork(file, [], {
    execArgv: [...loader, `--max-old-space-size=${memoryMb}`, "--disallow-code-generation-from-strings"],
    // An empty environment: an expression can read no settings, and NODE_OPTIONS cannot change how the child starts.
    env: {},
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  // Loading the modules does not count against the expression's time limit.
  await new Promise<void>((resolve, reject) => {
    child.once("message", (reply: ExpressionReply) => reply.type === "ready" && resolve());
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`It ended with code ${code}.`)));
  });
  child.removeAllListeners();
  return child;
}

/** From source through tsx, because Node 20 runs no TypeScript; from the build directly. */
function locate(): { file: string; loader: string[] } {
  if (import.meta.url.endsWith(".ts")) {
    const tsx = createRequire(import.meta.url).resolve("tsx/esm");
    return {
      file: fileURLToPath(new URL("./expression.worker.ts", import.meta.url)),
      loader: ["--import", pathToFileURL(tsx).href],
    };
  }
  // In the build this module is part of a bundle one folder up.
  const built = new URL("./steps/expression.worker.js", import.meta.url);
  const file = existsSync(built) ? built : new URL("./expression.worker.js", import.meta.url);
  return { file: fileURLToPath(file), loader: [] };
}
