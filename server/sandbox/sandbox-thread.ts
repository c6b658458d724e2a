import type { Worker } from "node:worker_threads";
import { startWorker } from "../lib/worker-file.ts";
import type { SandboxJob, SandboxReply, ThreadOptions } from "./sandbox-message.ts";

/** Deep recursion in the engine uses the stack of the thread. */
const THREAD_STACK_MB = 16;

export interface ThreadLimits {
  memoryMb: number;
  /**
   * The engine checks its time limit every 10,000 instructions. Code that exceeds the limit by this much, such as with
   * a search in a very long list, ends with its thread.
   */
  graceMs: number;
  /** A thread is ended when it was idle for this long, to save memory. */
  idleMs: number;
}

export type DoneReply = Extract<SandboxReply, { type: "done" }>;

/** One warm thread, started with the first job and again after it was ended. It runs one job at a time. */
export interface SandboxThread {
  run(job: SandboxJob, signal: AbortSignal): Promise<DoneReply | "unresponsive" | "ended">;
  end(): void;
}

export type StartThread = (options: ThreadOptions) => Promise<Worker>;

export function createSandboxThread(limits: ThreadLimits, start: StartThread): SandboxThread {
  let current: Worker | undefined;
  let idleTimer: NodeJS.Timeout | undefined;

  function end(): void {
    clearTimeout(idleTimer);
    void current?.terminate();
    current = undefined;
  }

  function rest(worker: Worker): void {
    // An idle thread must not keep the service running.
    worker.unref();
    idleTimer = setTimeout(end, limits.idleMs).unref();
  }

  return {
    end,
    async run(job, signal) {
      signal.throwIfAborted();
      clearTimeout(idleTimer);
      current ??= await start({ memoryMb: limits.memoryMb });
      const worker = current;
      // The signal may have been aborted while the thread started; its event is over.
      if (signal.aborted) {
        rest(worker);
        signal.throwIfAborted();
      }
      worker.ref();
      let isUsable = false;
      try {
        const reply = await exchange(worker, job, job.timeoutMs + limits.graceMs, signal);
        isUsable = typeof reply === "object" && !(reply.result.type === "failed" && reply.result.broken);
        return reply;
      } finally {
        // A thread that is busy, broken or gone is replaced by the next call.
        if (isUsable) rest(worker);
        else end();
      }
    },
  };
}

/** One job and its reply. */
function exchange(
  worker: Worker,
  job: SandboxJob,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<DoneReply | "unresponsive" | "ended"> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => finish(() => resolve("unresponsive")), timeoutMs);
    const onMessage = (reply: SandboxReply) => reply.type === "done" && finish(() => resolve(reply));
    const onAbort = () => finish(() => reject(signal.reason as Error));
    const onEnd = () => finish(() => resolve("ended"));
    function finish(settle: () => void): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      worker.off("message", onMessage).off("exit", onEnd).off("error", onEnd);
      settle();
    }
    signal.addEventListener("abort", onAbort, { once: true });
    worker.on("message", onMessage).on("exit", onEnd).on("error", onEnd);
    worker.postMessage(job);
  });
}

/** Loading the engine does not count against the time limit of the code. */
export async function startSandboxThread(options: ThreadOptions): Promise<Worker> {
  const worker = startWorker(new URL("./sandbox.worker.ts", import.meta.url), {
    workerData: options,
    // No settings of the service, no output of its own.
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { stackSizeMb: THREAD_STACK_MB },
  });
  await new Promise<void>((resolve, reject) => {
    worker.once("message", () => resolve());
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`The thread ended with code ${code}.`)));
  });
  worker.removeAllListeners("message").removeAllListeners("exit").removeAllListeners("error");
  // An error event without a listener would end the process, also while the thread is idle.
  worker.on("error", () => {});
  return worker;
}
