import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import { AppError, messageOf } from "../../lib/errors.ts";
import { threadStatFile } from "../../lib/thread-cpu.ts";
import { loadWordPiece } from "../../models/embedding/tokenizer-file.ts";
import { chunkPages } from "../ingest/chunk.ts";
import { bytesInMemory } from "./byte-source.ts";
import type { ExtractionInput, ExtractionMessage } from "./extraction-message.ts";
import type { OcrMessage } from "./ocr/ocr-message.ts";
import { readDocument } from "./read-document.ts";
import { unreadable } from "./unreadable.ts";

// Messages stay small, and each waits until the one before was processed: the receiver handles queued messages in one
// turn of the event loop, and 500 pages block it for more than 50 ms.
const PAGES_PER_MESSAGE = 8;
const CHUNKS_PER_MESSAGE = 64;

const port = parentPort;
if (port) {
  const post = (message: ExtractionMessage): void => port.postMessage(message);
  const deliver = async (message: ExtractionMessage): Promise<unknown> => {
    const received = once(port, "message");
    post(message);
    return received;
  };
  try {
    await run(workerData as ExtractionInput, post, deliver);
  } catch (error) {
    const known = error instanceof AppError ? error : unreadable(messageOf(error));
    post({ type: "failed", code: known.code, message: known.message });
  }
  port.close();
}

async function run(
  input: ExtractionInput,
  post: (message: ExtractionMessage) => void,
  deliver: (message: ExtractionMessage) => Promise<unknown>,
): Promise<void> {
  const bytes = typeof input.source === "string" ? await readFile(input.source) : input.source;
  const onPage = (done: number, total: number): void => {
    if (done % PAGES_PER_MESSAGE === 0 || done === total) post({ type: "progress", done, total });
  };
  post({ type: "started", statFile: threadStatFile() });
  const recognizeScans = async (pages: number[]): Promise<OcrMessage[]> => {
    const [recognized] = (await deliver({ type: "scans", pages })) as [OcrMessage[]];
    return recognized;
  };
  const { pages, title } = await readDocument(
    bytesInMemory(bytes),
    input,
    onPage,
    input.canRecognize ? recognizeScans : undefined,
  );
  const { count } = await loadWordPiece(input.tokenizerFile);
  const chunks = chunkPages(pages, count);
  if (chunks.length > input.maxChunks) throw unreadable("it contains more text than allowed");
  for (let i = 0; i < pages.length; i += PAGES_PER_MESSAGE)
    await deliver({ type: "pages", pages: pages.slice(i, i + PAGES_PER_MESSAGE) });
  for (let i = 0; i < chunks.length; i += CHUNKS_PER_MESSAGE)
    await deliver({ type: "chunks", chunks: chunks.slice(i, i + CHUNKS_PER_MESSAGE) });
  post({ type: "done", title });
}
