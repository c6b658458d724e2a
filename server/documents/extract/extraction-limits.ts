/** Limits for one PDF, enforced in or around the worker. The file's own claims are not trusted. */
export interface ExtractionLimits {
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
  timeoutMs: number;
}

export const defaultExtractionLimits: ExtractionLimits = {
  maxPages: 5000,
  maxHeapMb: 512,
  maxStreamBytes: 32 * 1024 * 1024,
  maxChunks: 20_000,
  timeoutMs: 120_000,
};
