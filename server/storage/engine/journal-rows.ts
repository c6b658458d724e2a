import { knownErrorCode } from "../../../contract/errors.ts";
import { isRecord } from "../../../contract/placeholders/json-value.ts";
import type {
  AttemptEntry,
  JournalEntry,
  RerunEntry,
  StatusEntry,
  StepEntry,
  WaitEntry,
} from "../../engine/journal/journal-entry.ts";
import { finalStatuses, type StepError } from "../../engine/tasks/task.ts";
import type { Row, SqlValue } from "../db.ts";
import { invalid, numberOrNull, oneOf, parsed, text, textOrNull } from "./row-values.ts";

/** The columns of a journal row after `task_id` and `epoch`, in the order in which `pushRow` fills them. */
export const ENTRY_COLUMNS = [
  ["seq", "bigint"],
  ["kind", "text"],
  ["path", "text"],
  ["type", "text"],
  ["status", "text"],
  ["attempt", "bigint"],
  ["final", "bigint"],
  ["input", "text"],
  ["output", "text"],
  ["output_ref", "text"],
  ["error", "text"],
  ["extra", "text"],
  ["due", "bigint"],
  ["started_at", "bigint"],
  ["at", "bigint"],
] as const;

/** What the kinds of entries have in common, and what only some of them have. */
type EntryColumns = Pick<StepEntry, "seq" | "at"> &
  Partial<Omit<StepEntry, "seq" | "at" | "kind" | "status"> & Pick<WaitEntry, "due">>;

/** One push per entry: this runs for every recorded step. A column that a kind does not have is empty, 0 or null. */
export function pushRow(params: SqlValue[], entry: JournalEntry): void {
  const columns: EntryColumns = entry;
  const { seq, path = "", type = "", attempt = 0, final = false, due = null } = columns;
  const { input = null, outputRef = null, error = null, extra = null, startedAt = null, at } = columns;
  const output = entry.kind === "rerun" ? clearedJson(entry) : (columns.output ?? null);
  params.push(
    seq,
    entry.kind,
    path,
    type,
    entry.status,
    attempt,
    final ? 1 : 0,
    input,
    output,
    outputRef,
    jsonOf(error),
    jsonOf(extra),
    due,
    startedAt,
    at,
  );
}

/** A row read back. Columns that a query leaves out, as that of the heads does, are null in the entry. */
export function toEntry(row: Row): JournalEntry {
  const seq = Number(row["seq"]);
  const at = Number(row["at"]);
  switch (row["kind"]) {
    case "step":
      return {
        seq,
        kind: "step",
        path: text(row, "path"),
        type: text(row, "type"),
        status: oneOf(row, "status", ["completed", "failed", "skipped"]),
        attempt: Number(row["attempt"]),
        final: Number(row["final"]) === 1,
        input: textOrNull(row, "input"),
        output: textOrNull(row, "output"),
        outputRef: textOrNull(row, "output_ref"),
        error: errorOrNull(row),
        extra: extraOf(row),
        startedAt: numberOrNull(row, "started_at"),
        at,
      };
    case "attempt":
      return {
        seq,
        kind: "attempt",
        path: text(row, "path"),
        type: text(row, "type"),
        status: oneOf(row, "status", ["waiting"]),
        attempt: Number(row["attempt"]),
        input: textOrNull(row, "input"),
        error: errorOrNull(row) ?? invalid(row, "error"),
        extra: extraOf(row),
        due: numberOrNull(row, "due") ?? invalid(row, "due"),
        startedAt: numberOrNull(row, "started_at"),
        at,
      };
    case "wait":
      return {
        seq,
        kind: "wait",
        path: text(row, "path"),
        type: text(row, "type"),
        status: oneOf(row, "status", ["waiting", "waiting_approval"]),
        input: textOrNull(row, "input"),
        due: numberOrNull(row, "due"),
        startedAt: numberOrNull(row, "started_at"),
        at,
      };
    case "items":
      return {
        seq,
        kind: "items",
        path: text(row, "path"),
        type: text(row, "type"),
        status: oneOf(row, "status", ["running"]),
        output: textOrNull(row, "output"),
        outputRef: textOrNull(row, "output_ref"),
        startedAt: numberOrNull(row, "started_at"),
        at,
      };
    case "rerun":
      return {
        seq,
        kind: "rerun",
        status: oneOf(row, "status", ["queued", "waiting"]),
        ...clearedOf(row),
        at,
      };
    case "status":
      return toStatusEntry(row);
    default:
      return invalid(row, "kind");
  }
}

export function toStatusEntry(row: Row): StatusEntry {
  const status = oneOf(row, "status", finalStatuses);
  return { seq: Number(row["seq"]), kind: "status", status, error: errorOrNull(row), at: Number(row["at"]) };
}

/** For rows that were selected by these kinds. */
export function toAttempt(row: Row): AttemptEntry | StepEntry {
  const entry = toEntry(row);
  return entry.kind === "step" || entry.kind === "attempt" ? entry : invalid(row, "kind");
}

function jsonOf(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

function errorOrNull(row: Row): StepError | null {
  const error = parsed(row, "error");
  if (error === null) return null;
  if (!isRecord(error)) return invalid(row, "error");
  const { code, message } = error;
  if (typeof code !== "string" || typeof message !== "string") return invalid(row, "error");
  return { ...error, code: knownErrorCode(code), message };
}

export function extraOf(row: Row): Record<string, unknown> | null {
  const extra = parsed(row, "extra");
  return extra === null || isRecord(extra) ? extra : invalid(row, "extra");
}

/** The list of cleared paths; an object when loops start again, too. */
export function clearedJson({ cleared, restarted }: RerunEntry): string {
  return JSON.stringify(restarted === undefined ? cleared : { cleared, restarted });
}

function clearedOf(row: Row): Pick<RerunEntry, "cleared" | "restarted"> {
  const stored = parsed(row, "output") ?? [];
  if (!isRecord(stored)) return { cleared: isPaths(stored) ? stored : invalid(row, "output") };
  const { cleared, restarted } = stored;
  return isPaths(cleared) && isPaths(restarted) ? { cleared, restarted } : invalid(row, "output");
}

function isPaths(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((path) => typeof path === "string");
}
