import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import { AppError, messageOf } from "../../lib/errors.ts";
import { loadWordPiece } from "../../models/embedding/wordpiece-file.ts";
import { chunkPages } from "../ingest/chunk.ts";
import { limitBuffers } from "./buffer-ceiling.ts";
import { composePage, wordsOf } from "./compose-page.ts";
import type { ExtractionInput, ExtractionMessage } from "./extraction-message.ts";
import { findHeadings } from "./headings.ts";
import { dropFurniture } from "./page-furniture.ts";
import { readPdf, unreadable } from "./read-pdf.ts";

// Messages stay small, and each waits until the one before was processed: the receiver handles queued messages in one
// turn of the event loop, and 500 pages block it for more than 50 ms.
const PAGES_PER_MESSAGE = 8;
const CHUNKS_PER_MESSAGE = 64;

const port = parentPort;
if (port) {
  const post = (message: ExtractionMessage): void => port.postMessage(message);
  const deliver = async (message: ExtractionMessage): Promise<void> => {
    const received = once(port, "message");
    post(message);
    await received;
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
  deliver: (message: ExtractionMessage) => Promise<void>,
): Promise<void> {
  const bytes = typeof input.source === "string" ? await readFile(input.source) : input.source;
  const ceiling = limitBuffers(input.maxStreamBytes);
  const onPage = (done: number, total: number): void => {
    if (done % PAGES_PER_MESSAGE === 0 || done === total) post({ type: "progress", done, total });
  };
  const content = await readPdf(new Uint8Array(bytes), input.maxPages, onPage).catch((error: unknown) => {
    throw ceiling.reached ? bomb(error) : error;
  });
  // The library swallows most errors of a page. A bomb among good pages still fails the file.
  if (ceiling.reached) throw bomb();
  const lines = dropFurniture(content.pages);
  const words = wordsOf(lines);
  const headings = findHeadings(lines, content.outline);
  const pages = lines.map((page) => composePage(page, words, headings));
  if (pages.every((page) => page.text === ""))
    throw new AppError(
      "no_text",
      "The PDF contains images only. Run text recognition on it and upload the result.",
    );
  const { count } = await loadWordPiece(input.tokenizerFile);
  const chunks = chunkPages(pages, count);
  if (chunks.length > input.maxChunks) throw unreadable("it contains more text than allowed");
  for (let i = 0; i < pages.length; i += PAGES_PER_MESSAGE)
    await deliver({ type: "pages", pages: pages.slice(i, i + PAGES_PER_MESSAGE) });
  for (let i = 0; i < chunks.length; i += CHUNKS_PER_MESSAGE)
    await deliver({ type: "chunks", chunks: chunks.slice(i, i + CHUNKS_PER_MESSAGE) });
  post({ type: "done", title: content.title });
}

function bomb(cause?: unknown): AppError {
  return unreadable("it contains a stream that inflates beyond the limit", cause);
}
