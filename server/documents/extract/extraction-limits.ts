/** What one PDF may cost. All of it is enforced in or around the worker, never by trust in the file. */
export interface ExtractionLimits {
  maxPages: number;
  /** Heap of the worker; the text of the longest allowed file needs a tenth of it. */
  maxHeapMb: number;
  /**
   * The largest single buffer a stream may inflate into: heap limits do not count buffers. The text of a
   * page or a font takes a few megabytes; a bomb is stopped after 4 s instead of 19 at four times as much.
   */
  maxStreamBytes: number;
  /** 5,000 pages of close print; one page may hold more text than a thousand others. */
  maxChunks: number;
  timeoutMs: number;
}

export const defaultExtractionLimits: ExtractionLimits = {
  maxPages: 5000,
  maxHeapMb: 512,
  maxStreamBytes: 32 * 1024 * 1024,
  maxChunks: 20_000,
  timeoutMs: 120_000,
};
