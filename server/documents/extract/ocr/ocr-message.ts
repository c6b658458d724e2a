import type { Box } from "../page-text.ts";

/** The worker's `workerData`. */
export interface OcrInput {
  /** The bytes, or the path of the PDF. */
  source: Uint8Array | string;
  /** Numbers of the pages to recognize. */
  pages: readonly number[];
  /** Codes of Tesseract: "eng". */
  languages: readonly string[];
  /** Contains `<code>.traineddata.gz` of every language. */
  languageFolder: string;
  /** Pictures with more pixels are skipped. */
  maxPixels: number;
}

export interface RecognizedLine {
  text: string;
  /** On the page, in points. */
  box: Box;
}

/** One message per page, in the order of `pages`. */
export interface OcrMessage {
  page: number;
  lines: RecognizedLine[];
}
