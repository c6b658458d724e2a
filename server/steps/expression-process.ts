import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { ExpressionReply } from "./expression-message.ts";

/**
 * A process and not a thread: when a thread asks for one large piece of memory beyond its limit
 * (`[1..10000000]`), V8 ends the whole process with it. Here only this one goes.
 */
export async function startExpressionProcess(memoryMb: number): Promise<ChildProcess> {
  const { file, loader } = locate();
  const child = fork(file, [], {
    execArgv: [...loader, `--max-old-space-size=${memoryMb}`, "--disallow-code-generation-from-strings"],
    // Nothing of the operator's settings is in reach of an expression, nor can they change how it starts.
    env: {},
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  // Loading its modules does not count as the expression's time.
  await new Promise<void>((resolve, reject) => {
    child.once("message", (reply: ExpressionReply) => reply.type === "ready" && resolve());
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`It ended with code ${code}.`)));
  });
  child.removeAllListeners();
  return child;
}

/** From source through tsx, since Node 20 reads no TypeScript; from the build as it is. */
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
