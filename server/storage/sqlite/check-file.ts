import { existsSync, statSync } from "node:fs";
import { AppError, messageOf } from "../../lib/errors.ts";
import type { SqliteConnection } from "./connection.ts";

/** Reading every page takes 2.6 s per gigabyte; a start spends at most one second on it. */
const CHECKED_BYTES = 256 * 1024 * 1024;

/** A clean stop leaves no WAL behind. Call before opening the file. */
export function stoppedUncleanly(path: string): boolean {
  return existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0;
}

/**
 * A power cut on a disk that ignores flushes may damage the file. Checking at start-up reports it before anything is
 * written, instead of failing whichever task reads the damaged page. Checking a larger file is left to the operator.
 */
export function checkFile(connection: SqliteConnection, path: string): void {
  if (!existsSync(path) || statSync(path).size > CHECKED_BYTES) return;
  const problem = firstProblem(connection);
  if (problem === "ok") return;
  throw new AppError(
    "database_damaged",
    `The database ${path} is damaged (${problem}). Restore the last backup, or salvage it with the sqlite3 command \`.recover\`.`,
  );
}

function firstProblem(connection: SqliteConnection): string {
  try {
    return String(
      connection.prepare("pragma quick_check(1)").all()[0]?.["quick_check"] ?? "no answer",
    ).replaceAll("\n", " ");
  } catch (error) {
    return messageOf(error);
  }
}
