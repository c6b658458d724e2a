import { type ChildProcess, fork } from "node:child_process";
import { workerProgram } from "../lib/worker-file.ts";
import type { ExpressionReply } from "./expression-message.ts";

/**
 * A process and not a thread: when a thread allocates one large object beyond its limit (`[1..10000000]`), V8 aborts the
 * whole process. Here only the child process ends.
 */
export async function startExpressionProcess(memoryMb: number): Promise<ChildProcess> {
  const { file, execArgv } = workerProgram(new URL("./expression.worker.ts", import.meta.url));
  const child = fork(file, [], {
    execArgv: [...execArgv, `--max-old-space-size=${memoryMb}`, "--disallow-code-generation-from-strings"],
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
