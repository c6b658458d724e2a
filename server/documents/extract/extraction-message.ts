import type { ErrorCode } from "../../../contract/errors.ts";
import type { Chunk } from "../ingest/chunk.ts";
import type { PageText } from "./page-text.ts";

/** The worker's `workerData`. */
export interface ExtractionInput {
  /** The bytes, or the path of the file. */
  source: Uint8Array | string;
  tokenizerFile: string;
  maxPages: number;
  maxStreamBytes: number;
  maxChunks: number;
  /** True: the worker asks for the text of scanned pages and waits for it. */
  canRecognize?: boolean;
}

/**
 * Messages of the worker. After pages and chunks it waits for an acknowledgement before it sends the next, after scans
 * for an `OcrMessage[]`.
 */
export type ExtractionMessage =
  /** `statFile`: see `threadStatFile`. */
  | { type: "started"; statFile: string | undefined }
  | { type: "progress"; done: number; total: number }
  | { type: "scans"; pages: number[] }
  | { type: "pages"; pages: PageText[] }
  | { type: "chunks"; chunks: Chunk[] }
  | { type: "done"; title: string | undefined }
  | { type: "failed"; code: ErrorCode; message: string };
