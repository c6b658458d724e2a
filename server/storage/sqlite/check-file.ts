import { existsSync, statSync } from "node:fs";
import { AppError, messageOf } from "../../lib/errors.ts";
import type { SqliteConnection } from "./connection.ts";

/** Reading every page takes 2.6 s a gigabyte: a start waits for at most a second of that. */
const CHECKED_BYTES = 256 * 1024 * 1024;

/** A clean stop leaves no WAL behind. To be asked before the file is opened. */
export function stoppedUncleanly(path: string): boolean {
  return existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0;
}

/**
 * After a power cut on a disk that does not keep its word the file may be damaged. Better told at the start, with
 * nothing written yet, than by whichever task reads the damaged page. A larger file is left to the operator.
 */
export function checkFile(connection: SqliteConnection, path: string): void {
  if (!existsSync(path) || statSync(path).size > CHECKED_BYTES) return;
  const problem = firstProblem(connection);
  if (problem === "ok") return;
  throw new AppError(
    "database_damaged",
    `The database ${path} is damaged (${problem}). Restore the last backup, or save what is left with the sqlite3 program: \`.recover\`.`,
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
