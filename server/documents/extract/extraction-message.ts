import type { ErrorCode } from "../../../contract/errors.ts";
import type { Chunk } from "../ingest/chunk.ts";
import type { PageText } from "./page-text.ts";

/** What the worker is started with. */
export interface ExtractionInput {
  /** The bytes, or the path of the file. */
  source: Uint8Array | string;
  tokenizerFile: string;
  maxPages: number;
  maxStreamBytes: number;
  maxChunks: number;
}

/** What it tells on its way. Pages and chunks wait for an answer before the next of them comes. */
export type ExtractionMessage =
  | { type: "progress"; done: number; total: number }
  | { type: "pages"; pages: PageText[] }
  | { type: "chunks"; chunks: Chunk[] }
  | { type: "done"; title: string | undefined }
  | { type: "failed"; code: ErrorCode; message: string };
