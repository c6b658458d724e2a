import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { BlobStore } from "../../lib/blob-store.ts";
import type { AttemptEntry, StepEntry } from "../journal/journal-entry.ts";
import { inputText, loadJson } from "../journal/outputs.ts";
import type { StepError } from "./task.ts";

/** In a list of tries a large value is shown by its beginning; the whole output stands in the step's result. */
const SHOWN_CHARACTERS = 20_000;

/** How one try of a step ended. */
export interface StepAttempt {
  attempt: number;
  status: "completed" | "failed";
  input: JsonValue;
  output: JsonValue;
  error: StepError | null;
  completedAt: number;
  /** When the next try was due; null when none followed. */
  retryAt: number | null;
  /** What the runner added beside the output: an http step's `response`, a model's `usage` … */
  [extra: string]: unknown;
}

export async function attemptOf(entry: AttemptEntry | StepEntry, blobs: BlobStore): Promise<StepAttempt> {
  return {
    ...entry.extra,
    attempt: entry.attempt,
    status: entry.status === "completed" ? "completed" : "failed",
    input: shown(entry.input ?? "null"),
    output: entry.kind === "attempt" ? null : shown(await loadJson(entry, blobs)),
    error: entry.error,
    completedAt: entry.at,
    retryAt: entry.kind === "attempt" ? entry.due : null,
  };
}

/** A cursor is the number of the last entry shown; one that is none leads to the end of the list. */
export function sequenceOf(cursor: string | undefined): number {
  return cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor) || 0;
}

function shown(json: string): JsonValue {
  return JSON.parse(inputText(json, SHOWN_CHARACTERS)) as JsonValue;
}
