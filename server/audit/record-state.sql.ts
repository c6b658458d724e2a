import type { Db, Row } from "../storage/db.ts";
import { toIso } from "../lib/clock.ts";
import { parseInTurns } from "../lib/stored-json.ts";
import type { RecordKind } from "./record-kinds.ts";

export type RecordState = Record<string, unknown>;

export type RecordStates = ReturnType<typeof createRecordStates>;

/** Stored as 0 or 1. */
const FLAGS = new Set([
  "a2a",
  "active",
  "apiAuthentication",
  "apiEnabled",
  "apiSync",
  "chat",
  "formEnabled",
  "hasUploadKey",
  "isAdministrator",
  "isConnected",
  "mcp",
  "secret",
  "sharedWithEveryone",
]);

/** Reads what the audit log shows of records. */
export function createRecordStates(db: Db) {
  return {
    /** Null when there is no such record, or it belongs to another workspace. */
    async read(
      { from, columns = [], json = [] }: RecordKind,
      params: Record<string, string>,
    ): Promise<RecordState | null> {
      if (from === undefined) return null;
      const [row] = await db.query(`select ${columns.join(", ")} from ${from}`, params);
      return row === undefined ? null : await toState(row, new Set(json));
    },
  };
}

async function toState(row: Row, json: ReadonlySet<string>): Promise<RecordState> {
  const state: RecordState = {};
  for (const [column, value] of Object.entries(row)) {
    if (value === null) continue;
    const name = column.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
    if (json.has(column)) state[name] = await parsed(String(value));
    else if (FLAGS.has(name)) state[name] = Number(value) === 1;
    else state[name] = name.endsWith("At") && typeof value === "number" ? toIso(value) : value;
  }
  return state;
}

/** A graph may have megabytes. */
async function parsed(text: string): Promise<unknown> {
  return parseInTurns(text).catch(() => text);
}
