import type {
  AttemptEntry,
  EntryHead,
  ItemsEntry,
  RerunEntry,
  StatusEntry,
  StepEntry,
  WaitEntry,
} from "../journal/journal-entry.ts";

/** Entries for tests: the fields that a test does not name have plain values. */
export function stepEntry(fields: Partial<StepEntry> = {}): StepEntry {
  return {
    seq: 0,
    kind: "step",
    path: "a",
    type: "http",
    status: "completed",
    attempt: 0,
    final: false,
    input: null,
    output: null,
    outputRef: null,
    error: null,
    extra: null,
    startedAt: null,
    at: 0,
    ...fields,
  };
}

export function attemptEntry(fields: Partial<AttemptEntry> = {}): AttemptEntry {
  return {
    seq: 0,
    kind: "attempt",
    path: "a",
    type: "http",
    status: "waiting",
    attempt: 1,
    input: null,
    error: { code: "http_error", message: "m" },
    extra: null,
    due: 0,
    startedAt: null,
    at: 0,
    ...fields,
  };
}

export function waitEntry(fields: Partial<WaitEntry> = {}): WaitEntry {
  return {
    seq: 0,
    kind: "wait",
    path: "a",
    type: "delay",
    status: "waiting",
    input: null,
    due: null,
    startedAt: null,
    at: 0,
    ...fields,
  };
}

export function itemsEntry(fields: Partial<ItemsEntry> = {}): ItemsEntry {
  return {
    seq: 0,
    kind: "items",
    path: "each",
    type: "foreach",
    status: "running",
    output: "[]",
    outputRef: null,
    startedAt: null,
    at: 0,
    ...fields,
  };
}

export function rerunEntry(fields: Partial<RerunEntry> = {}): RerunEntry {
  return { seq: 0, kind: "rerun", status: "queued", cleared: [], at: 0, ...fields };
}

export function statusEntry(fields: Partial<StatusEntry> = {}): StatusEntry {
  return { seq: 0, kind: "status", status: "completed", error: null, at: 0, ...fields };
}

/** Empty for an entry about the task itself. */
export function pathOf(entry: EntryHead | undefined): string {
  return entry !== undefined && "path" in entry ? entry.path : "";
}
