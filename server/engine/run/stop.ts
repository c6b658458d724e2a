import type { AbortSource } from "../../lib/abort-source.ts";

/** Tells the steps of a run, of a loop or of a branch to end. */
export interface Stop extends AbortSource {
  /** Created on first use, because one costs as much as several pure steps. */
  readonly signal: AbortSignal;
}
