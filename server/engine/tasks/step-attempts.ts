import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { BlobStore } from "../../lib/blob-store.ts";
import type { AttemptEntry, StepEntry } from "../journal/journal-entry.ts";
import { BEGINNING_CHARACTERS, inputText } from "../journal/outputs.ts";
import type { StepError } from "./task.ts";

/** A list of attempts shortens large values; the step's result has the whole output. */
const PREVIEW_CHARACTERS = 20_000;

/** One ended attempt of a step. */
export interface StepAttempt {
  attempt: number;
  status: "completed" | "failed";
  input: JsonValue;
  output: JsonValue;
  error: StepError | null;
  startedAt: number | null;
  completedAt: number;
  /** When the next attempt was due; null when none followed. */
  retryAt: number | null;
  /** Fields that the runner adds to the output: an http step's `response`, a model's `usage` … */
  [extra: string]: unknown;
}

export async function attemptOf(entry: AttemptEntry | StepEntry, blobs: BlobStore): Promise<StepAttempt> {
  return {
    ...entry.extra,
    attempt: entry.attempt,
    status: entry.status === "completed" ? "completed" : "failed",
    input: preview(entry.input ?? "null"),
    output: entry.kind === "attempt" ? null : await outputPreview(entry, blobs),
    error: entry.error,
    startedAt: entry.startedAt,
    completedAt: entry.at,
    retryAt: entry.kind === "attempt" ? entry.due : null,
  };
}

/** A cursor is the number of the last entry of the page. */
export function sequenceOf(cursor: string | undefined): number {
  return cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor);
}

/** Reads only the beginning of a value in the blob store, which is always too large for the list. */
async function outputPreview({ output, outputRef }: StepEntry, blobs: BlobStore): Promise<JsonValue> {
  if (outputRef === null) return preview(output ?? "null");
  const { stream, bytes } = await blobs.open(outputRef);
  let begins = "";
  for await (const chunk of stream) {
    begins += (chunk as Buffer).toString();
    // Leaving the loop destroys the stream.
    if (begins.length >= BEGINNING_CHARACTERS) break;
  }
  return { truncated: true, characters: bytes, begins: begins.slice(0, BEGINNING_CHARACTERS) };
}

function preview(json: string): JsonValue {
  return JSON.parse(inputText(json, PREVIEW_CHARACTERS)) as JsonValue;
}
