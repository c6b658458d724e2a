import { stat } from "node:fs/promises";
import { AppError, messageOf } from "../../lib/errors.ts";
import { startWorker } from "../../lib/worker-file.ts";
import type { Chunk } from "../ingest/chunk.ts";
import type { ExtractionInput, ExtractionMessage } from "./extraction-message.ts";
import type { Recognize } from "./ocr/recognizer.ts";
import type { PageText } from "./page-text.ts";
import { createReadingTimer, defaultReadingTime, type ReadingTime } from "./reading-time.ts";
import { unreadable } from "./unreadable.ts";

/** Limits for one file, enforced in or around the worker. The file's own claims are not trusted. */
interface ExtractionLimits extends ReadingTime {
  maxPages: number;
  /** Heap of the worker. The text of the longest allowed file needs a tenth of it. */
  maxHeapMb: number;
  /**
   * The largest buffer a stream may inflate into: heap limits do not count buffers. The text of a page or a font takes
   * a few megabytes. This limit stops a bomb after 4 s, one four times as large after 19 s.
   */
  maxStreamBytes: number;
  /** 5,000 densely printed pages. Pages alone are no limit: one page may hold more text than a thousand others. */
  maxChunks: number;
}

const defaultExtractionLimits: ExtractionLimits = {
  maxPages: 5000,
  maxHeapMb: 512,
  maxStreamBytes: 32 * 1024 * 1024,
  maxChunks: 20_000,
  ...defaultReadingTime,
};

export interface ExtractedDocument {
  /** The title in the file's properties. */
  title: string | undefined;
  pages: PageText[];
  chunks: Chunk[];
  /** Numbers of pages without text (images, blank), shown to the user. */
  pagesWithoutText: number[];
}

export interface ExtractOptions {
  /** A `tokenizer.json`: chunks are measured in word pieces. */
  tokenizerFile: string;
  limits?: Partial<ExtractionLimits>;
  signal?: AbortSignal;
  onProgress?: (done: number, total: number) => void;
  /** Recognizes the text of scanned pages. Unset: they have no text. */
  recognize?: Recognize | undefined;
  /** Progress of it. */
  onRecognized?: (done: number, total: number) => void;
  /**
   * Receives a few pages at a time; the worker waits until it resolves, and `pages` of the result stays empty. The
   * lines of a thousand pages with their positions take 100 MB.
   */
  onPages?: (pages: PageText[]) => Promise<void>;
}

/**
 * A file of any supported format, as bytes or as a path, → pages of text and chunks. Runs in a worker with limits on memory, pages and time,
 * so a hostile file can neither block nor crash the service.
 */
export async function extractDocument(
  source: Uint8Array | string,
  options: ExtractOptions,
): Promise<ExtractedDocument> {
  const limits = { ...defaultExtractionLimits, ...options.limits };
  const bytes = typeof source === "string" ? await sizeOf(source) : source.length;
  options.signal?.throwIfAborted();
  const input: ExtractionInput = {
    source,
    tokenizerFile: options.tokenizerFile,
    maxPages: limits.maxPages,
    maxStreamBytes: limits.maxStreamBytes,
    maxChunks: limits.maxChunks,
    canRecognize: options.recognize !== undefined,
  };
  const worker = startWorker(new URL("./extract.worker.ts", import.meta.url), {
    workerData: input,
    resourceLimits: { maxOldGenerationSizeMb: limits.maxHeapMb, maxYoungGenerationSizeMb: 32 },
  });
  const pages: PageText[] = [];
  const chunks: Chunk[] = [];
  const pagesWithoutText: number[] = [];
  const { promise, resolve, reject } = settleable<string | undefined>();
  const timer = createReadingTimer(limits, bytes, (seconds) =>
    reject(unreadable(`reading it took longer than ${seconds} seconds`)),
  );
  const abort = (): void => reject(options.signal?.reason);
  options.signal?.addEventListener("abort", abort, { once: true });
  async function receivePages(received: PageText[]): Promise<void> {
    for (const { page, text } of received) if (text === "") pagesWithoutText.push(page);
    if (options.onPages) await options.onPages(received);
    else pages.push(...received);
    worker.postMessage("received");
  }
  async function recognizeScans(numbers: readonly number[]): Promise<void> {
    // Its own limit is per page.
    timer.pause();
    const recognized = await options.recognize?.(source, numbers, {
      signal: options.signal,
      onPage: (done) => options.onRecognized?.(done, numbers.length),
    });
    timer.read();
    timer.resume();
    worker.postMessage(recognized ?? []);
  }
  worker.on("message", (message: ExtractionMessage) => {
    if (message.type === "started") return timer.start(message.statFile);
    if (message.type === "progress") {
      timer.progress(message.done);
      return options.onProgress?.(message.done, message.total);
    }
    if (message.type === "done") return resolve(message.title);
    if (message.type === "failed") return reject(new AppError(message.code, message.message));
    if (message.type === "scans") return void recognizeScans(message.pages).catch(reject);
    timer.read();
    if (message.type === "pages") return void receivePages(message.pages).catch(reject);
    chunks.push(...message.chunks);
    worker.postMessage("received");
  });
  worker.on("error", (error) => reject(unreadable(crashReason(error), error)));
  worker.on("exit", () => reject(unreadable("the extraction process ended early")));
  try {
    const title = await promise;
    return { title, pages, chunks, pagesWithoutText };
  } finally {
    timer.stop();
    options.signal?.removeEventListener("abort", abort);
    await worker.terminate();
  }
}

/** 0 for a file that is gone: the worker reports why it cannot be read. */
async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

function crashReason(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  return code === "ERR_WORKER_OUT_OF_MEMORY" ? "it needs more memory than allowed" : messageOf(error);
}

function settleable<T>(): {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (reason: unknown) => void;
} {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
