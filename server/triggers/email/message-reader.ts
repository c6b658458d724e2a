import type { Worker } from "node:worker_threads";
import { createDeadline } from "../../lib/deadline.ts";
import { startWorker } from "../../lib/worker-file.ts";
import type { ReadMessage } from "./read-message.ts";

export interface ReadRequest {
  source: Uint8Array;
  isCut: boolean;
}

/** Reads the messages of one mailbox while it is open. */
export interface MessageReader {
  /** The fields of a message. Of one that cannot be read they are empty, and `error` says so: it must not stop the ones after it. */
  read(source: Uint8Array, isCut: boolean, signal: AbortSignal): Promise<ReadMessage>;
  close(): Promise<void>;
}

const MAX_HEAP_MB = 192;

/**
 * Reads messages in a worker thread with limits on memory and time: strangers write them, and the parser does not yield.
 * The worker starts with the first message.
 */
export function openMessageReader({ timeoutMs = 10_000 } = {}): MessageReader {
  let worker: Worker | undefined;

  function start(): Worker {
    const started = startWorker(new URL("./message.worker.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 16 },
    });
    // Without a listener, an error between two messages would end the process.
    started.on("error", () => undefined);
    return started;
  }

  async function close(): Promise<void> {
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  }

  return {
    async read(source, isCut, signal) {
      worker ??= start();
      const deadline = createDeadline(timeoutMs, { outer: signal });
      try {
        return (await deadline.race(resultOf(worker, { source, isCut }))) ?? unreadable(isCut);
      } catch {
        // Out of memory or time: the worker may be in a long loop.
        await close();
        signal.throwIfAborted();
        return unreadable(isCut);
      } finally {
        deadline.clear();
      }
    },
    close,
  };
}

function resultOf(worker: Worker, request: ReadRequest): Promise<ReadMessage | undefined> {
  return new Promise((resolve, reject) => {
    const forget = () => void worker.off("message", onMessage).off("error", onEnd).off("exit", onEnd);
    const onMessage = (result: ReadMessage | undefined) => {
      forget();
      resolve(result);
    };
    const onEnd = () => {
      forget();
      reject(new Error("the worker ended"));
    };
    worker.on("message", onMessage).on("error", onEnd).on("exit", onEnd);
    worker.postMessage(request);
  });
}

function unreadable(isCut: boolean): ReadMessage {
  const fields = {
    messageId: "",
    inReplyTo: "",
    subject: "",
    from: null,
    to: [],
    cc: [],
    replyTo: [],
    date: null,
    text: "",
    html: "",
    isCut,
    error: "The message cannot be read.",
  };
  return { fields, files: [] };
}
