import type { Worker } from "node:worker_threads";
import { createDeadline } from "../lib/deadline.ts";
import { AppError, messageOf } from "../lib/errors.ts";
import type { FairQueue } from "../lib/fair-queue.ts";
import { startWorker } from "../lib/worker-file.ts";
import type { ConvertJob, ConvertResult } from "./convert-job.ts";
import { unreadableFile } from "./unreadable-file.ts";

export type Converted = Exclude<ConvertResult, { type: "failed" }>;

/** Parses and writes files in worker threads with limits on memory and time, so that no file blocks or crashes the service. */
export interface Converter {
  /** A function prepares the job when its turn has come, so that no bytes are held in memory while it waits. */
  run(
    ownerId: string,
    job: ConvertJob | (() => Promise<ConvertJob>),
    signal: AbortSignal,
  ): Promise<Converted>;
  close(): Promise<void>;
}

export interface ConverterDeps {
  /** Serves owners in turn. */
  queue: Pick<FairQueue, "run">;
  timeoutMs?: number;
}

/** A worker holds about 40 MB, and starts within 100 ms. */
const IDLE_MS = 1000;
const MAX_HEAP_MB = 384;

export function createConverter({ queue, timeoutMs = 300_000 }: ConverterDeps): Converter {
  const idle = new Map<Worker, NodeJS.Timeout>();
  const all = new Set<Worker>();

  function takeWorker(): Worker {
    const [kept] = idle.keys();
    if (kept !== undefined) {
      clearTimeout(idle.get(kept));
      idle.delete(kept);
      return kept;
    }
    const worker = startWorker(new URL("./convert.worker.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 16 },
    });
    all.add(worker);
    worker.once("exit", () => {
      all.delete(worker);
      idle.delete(worker);
    });
    // An idle worker that fails has no job to report it to.
    worker.on("error", () => {});
    return worker;
  }

  function releaseWorker(worker: Worker): void {
    worker.unref();
    idle.set(worker, setTimeout(() => void end(worker), IDLE_MS).unref());
  }

  async function end(worker: Worker): Promise<void> {
    idle.delete(worker);
    await worker.terminate();
  }

  async function runOnce(
    given: ConvertJob | (() => Promise<ConvertJob>),
    outer: AbortSignal,
  ): Promise<Converted> {
    const deadline = createDeadline(timeoutMs, {
      outer,
      reason: () => unreadableFile(`it takes longer than ${timeoutMs / 1000} s`),
      outerReason: () => new AppError("aborted", "The conversion was cancelled."),
    });
    let result: ConvertResult;
    try {
      const job = typeof given === "function" ? await deadline.race(given()) : given;
      result = await inWorker((worker) => deadline.race(resultOf(worker, job)));
    } finally {
      deadline.clear();
    }
    if (result.type === "failed") throw new AppError(result.code, result.message);
    return result;
  }

  async function inWorker<T>(use: (worker: Worker) => Promise<T>): Promise<T> {
    const worker = takeWorker();
    worker.ref();
    try {
      const result = await use(worker);
      releaseWorker(worker);
      return result;
    } catch (error) {
      // It may be in an endless loop. Once it has ended it writes no more files.
      await end(worker);
      throw error;
    }
  }

  return {
    run: (ownerId, job, signal) => queue.run(ownerId, () => runOnce(job, signal), { signal }),
    async close() {
      await Promise.all([...all].map((worker) => worker.terminate()));
    },
  };
}

function resultOf(worker: Worker, job: ConvertJob): Promise<ConvertResult> {
  return new Promise((resolve, reject) => {
    const onMessage = (result: ConvertResult): void => {
      forget();
      resolve(result);
    };
    const onError = (error: unknown): void => {
      forget();
      const code = (error as { code?: unknown } | undefined)?.code;
      const reason =
        code === "ERR_WORKER_OUT_OF_MEMORY" ? "it needs more memory than allowed" : messageOf(error);
      reject(unreadableFile(reason, error));
    };
    const onExit = (): void => onError(new Error("the conversion ended early"));
    const forget = (): void => {
      worker.off("message", onMessage).off("error", onError).off("exit", onExit);
    };
    worker.on("message", onMessage).on("error", onError).on("exit", onExit);
    worker.postMessage(job, job.kind === "rows" ? [job.bytes.buffer as ArrayBuffer] : []);
  });
}
