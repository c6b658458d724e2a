import type { Worker } from "node:worker_threads";
import { AppError, messageOf } from "../../lib/errors.ts";
import { startWorker } from "../../lib/worker-file.ts";
import type { EmbedReply, EmbedRequest, EmbedWorkerInput } from "./embed-message.ts";

export interface EmbedPool {
  /** The scripts that the model's vocabulary knows; undefined until a worker has loaded it. */
  readonly scripts: readonly string[] | undefined;
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
  close(): Promise<void>;
}

export interface EmbedPoolOptions {
  worker: EmbedWorkerInput;
  workers: number;
  /** Workers that are idle for this long are stopped: a model takes about 100 MB. */
  idleMs: number;
}

interface Job {
  texts: readonly string[];
  vectors: Float32Array[];
  next: number;
  done: number;
  resolve: (vectors: Float32Array[]) => void;
  reject: (error: unknown) => void;
}

interface Lane {
  worker: Worker;
  ready: boolean;
  current: { job: Job; index: number } | undefined;
}

/**
 * Worker threads with one model each. Jobs alternate text by text, so a question waits for one chunk of a document that
 * is being ingested, not for all of them.
 */
export function createEmbedPool({ worker: workerData, workers, idleMs }: EmbedPoolOptions): EmbedPool {
  const jobs: Job[] = [];
  const lanes = new Set<Lane>();
  let idleTimer: NodeJS.Timeout | undefined;
  let closed = false;
  let scripts: readonly string[] | undefined;

  function startLane(): void {
    const worker = startWorker(new URL("./embed.worker.ts", import.meta.url), { workerData });
    const lane: Lane = { worker, ready: false, current: undefined };
    lanes.add(lane);
    worker.on("message", (reply: EmbedReply) => onReply(lane, reply));
    worker.on("error", (error) => onDeath(lane, error));
    worker.on("exit", () => onDeath(lane, new Error("the embedding worker ended")));
  }

  function onReply(lane: Lane, reply: EmbedReply): void {
    if (reply.type === "ready") {
      lane.ready = true;
      scripts = reply.scripts;
    } else if (lane.current) {
      const { job, index } = lane.current;
      lane.current = undefined;
      if (reply.type === "failed") settle(job, () => job.reject(failure(reply.message)));
      else {
        job.vectors[index] = reply.vector;
        job.done += 1;
        if (job.done === job.texts.length) settle(job, () => job.resolve(job.vectors));
      }
    }
    feed();
  }

  function onDeath(lane: Lane, error: unknown): void {
    if (!lanes.delete(lane)) return;
    const wasReady = lane.ready;
    if (lane.current) settle(lane.current.job, () => lane.current?.job.reject(failure(error)));
    // A worker that cannot load the model never will, so all waiting jobs fail with its error.
    else if (!wasReady) for (const job of jobs.slice()) settle(job, () => job.reject(failure(error)));
    feed();
  }

  function feed(): void {
    if (closed) return;
    for (const lane of lanes) if (lane.ready && !lane.current) sendNext(lane);
    if (jobs.length === 0) {
      idleTimer ??= setTimeout(() => void release(), idleMs).unref();
      return;
    }
    clearTimeout(idleTimer);
    idleTimer = undefined;
    // The first worker may have to build the model file. The others start when it exists.
    const firstIsReady = [...lanes].some((lane) => lane.ready);
    const waiting = jobs.reduce((sum, job) => sum + job.texts.length - job.next, 0);
    if (lanes.size === 0 || (firstIsReady && lanes.size < workers && waiting > lanes.size)) startLane();
  }

  function sendNext(lane: Lane): void {
    const job = jobs.find((candidate) => candidate.next < candidate.texts.length);
    if (!job) return;
    // To the end of the queue: other jobs come first.
    jobs.splice(jobs.indexOf(job), 1);
    jobs.push(job);
    const index = job.next++;
    lane.current = { job, index };
    const request: EmbedRequest = { id: index, text: job.texts[index] ?? "" };
    lane.worker.postMessage(request);
  }

  function settle(job: Job, finish: () => void): void {
    const position = jobs.indexOf(job);
    if (position < 0) return;
    jobs.splice(position, 1);
    finish();
  }

  async function release(): Promise<void> {
    idleTimer = undefined;
    const ending = [...lanes];
    lanes.clear();
    await Promise.all(ending.map((lane) => lane.worker.terminate()));
  }

  return {
    get scripts() {
      return scripts;
    },
    embed(texts, signal) {
      if (closed) return Promise.reject(failure("it is closed"));
      if (signal?.aborted) return Promise.reject(signal.reason);
      if (texts.length === 0) return Promise.resolve([]);
      return new Promise<Float32Array[]>((resolve, reject) => {
        const job: Job = { texts, vectors: [], next: 0, done: 0, resolve, reject };
        const abort = (): void => settle(job, () => reject(signal?.reason));
        signal?.addEventListener("abort", abort, { once: true });
        job.resolve = (vectors) => {
          signal?.removeEventListener("abort", abort);
          resolve(vectors);
        };
        job.reject = (error) => {
          signal?.removeEventListener("abort", abort);
          reject(error);
        };
        // A new job goes first: most jobs are one question, few are a thousand chunks.
        jobs.unshift(job);
        feed();
      });
    },
    async close() {
      closed = true;
      clearTimeout(idleTimer);
      for (const job of jobs.slice()) settle(job, () => job.reject(failure("it is closed")));
      await release();
    },
  };
}

function failure(cause: unknown): AppError {
  return new AppError("embedding_failed", `The embedding model failed: ${messageOf(cause)}.`, {
    retryable: true,
    cause,
  });
}
