import type { ByteSource } from "./byte-source.ts";
import type { OcrMessage } from "./ocr/ocr-message.ts";
import type { PageText } from "./page-text.ts";

/** The result of reading a file. */
export interface DocumentContent {
  pages: PageText[];
  /** The title in the file's own properties, when it has one. */
  title: string | undefined;
}

export interface ReadLimits {
  maxPages: number;
  /** The largest buffer that one stream or one entry of an archive may inflate into. */
  maxStreamBytes: number;
}

/** The text of scanned pages, by their numbers. Unset: text recognition is off. */
export type RecognizeScans = ((pages: number[]) => Promise<OcrMessage[]>) | undefined;

/** One file of `formats/` per format. Runs in the worker. */
export type Reader = (source: ByteSource, limits: ReadLimits) => Promise<DocumentContent>;

export async function allBytes(source: ByteSource): Promise<Buffer> {
  return source.read(0, source.size);
}
