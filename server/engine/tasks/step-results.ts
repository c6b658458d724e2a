import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { BlobStore } from "../../lib/blob-store.ts";
import type { JournalEntry } from "../journal/journal-entry.ts";
import { loadValue } from "../journal/outputs.ts";
import type { StepResult, StepStatus } from "./task.ts";
import { usageOfRounds } from "./token-usage.ts";

const INSIDE_A_ROUND = /\[\d+\](\/|$)/;

/** One result a step, in the order in which they began to have one; the rounds of a foreach are inside its output. */
export async function stepResultsOf(
  entries: readonly JournalEntry[],
  running: ReadonlyMap<string, { type: string; startedAt: number }>,
  blobs: BlobStore,
): Promise<StepResult[]> {
  const newest = new Map<string, JournalEntry>();
  for (const entry of entries) {
    if (entry.kind === "rerun")
      for (const path of JSON.parse(entry.output ?? "[]") as string[]) newest.delete(path);
    else if (entry.kind !== "status" && !INSIDE_A_ROUND.test(entry.path))
      newest.set(entry.path, merge(newest.get(entry.path), entry));
  }
  const results: StepResult[] = [];
  const rounds = usageOfRounds(entries);
  for (const [path, entry] of newest) {
    const usage = rounds.get(path);
    const result = await toResult(path, entry, running.has(path), blobs);
    results.push(usage === undefined ? result : { ...result, usage });
  }
  for (const [path, { type, startedAt }] of running) {
    if (newest.has(path) || INSIDE_A_ROUND.test(path)) continue;
    results.push({ ...BLANK, stepId: path, type, status: "running", startedAt });
  }
  return results;
}

const BLANK = {
  input: null,
  output: null,
  error: null,
  attempts: 1,
  startedAt: null,
  completedAt: null,
  durationMs: null,
} as const;

/** The first time a step began is when it began, however many tries and waits came after. */
function merge(before: JournalEntry | undefined, entry: JournalEntry): JournalEntry {
  if (before === undefined) return entry;
  return { ...entry, startedAt: before.startedAt ?? entry.startedAt, input: entry.input ?? before.input };
}

async function toResult(
  stepId: string,
  entry: JournalEntry,
  running: boolean,
  blobs: BlobStore,
): Promise<StepResult> {
  const ended = entry.kind === "step";
  const completedAt = ended ? entry.at : null;
  const status = running && !ended ? "running" : (entry.status as StepStatus);
  return {
    ...entry.extra,
    stepId,
    type: entry.type,
    status,
    input: entry.input === null ? null : (JSON.parse(entry.input) as JsonValue),
    // The list of a foreach stands in `output` of its `items` entry: that is its input, not what it came to.
    output: ended ? await loadValue(entry, blobs) : null,
    error: entry.error,
    attempts: entry.attempt,
    startedAt: entry.startedAt,
    completedAt,
    durationMs: completedAt === null || entry.startedAt === null ? null : completedAt - entry.startedAt,
    ...(entry.due !== null && !ended ? { dueAt: entry.due } : {}),
  };
}
