import { AppError, messageOf } from "../../lib/errors.ts";
import { WrongParameter } from "../parameters.ts";

/** Fields of an error from PostgreSQL; an error without `severity` is not from the server. */
interface ServerError {
  code?: string;
  severity?: string;
  table?: string;
}

/**
 * - `lost`: the connection or the server is gone. The statements may or may not have been applied.
 * - `collided`: rolled back because of another transaction; a retry may succeed.
 * - `unprepared`: the connection does not have the prepared statements, as behind a pooler.
 * - `stale`: a migration changed a table, and a prepared statement no longer matches it.
 * - `refused`: the statement is at fault, or the server is full.
 */
export type Fault = "lost" | "collided" | "unprepared" | "stale" | "refused";

// Connection errors; shutdown, crash, start-up; too many connections; a standby that accepts no writes.
const LOST = /^(08|57P0[123]|53300|25006|25P03)/;
// Serialization failure, deadlock, lock timeout. Also a unique violation: `not exists` cannot see a row that another
// transaction is about to commit; a retry sees it.
const COLLIDED = /^(40001|40P01|55P03|23505)/;
const DUPLICATE = "23505";
const FULL = /^(53[124]|58030)/;
const NO_RIGHTS = "42501";

export function faultOf(error: unknown): Fault {
  const { code = "", severity } = error as ServerError;
  if (severity === undefined)
    return error instanceof AppError || error instanceof WrongParameter ? "refused" : "lost";
  if (code === "26000" || code === "42P05") return "unprepared";
  if (code === "0A000" && /cached plan/.test(messageOf(error))) return "stale";
  if (LOST.test(code) || severity === "FATAL" || severity === "PANIC") return "lost";
  return COLLIDED.test(code) ? "collided" : "refused";
}

/** A row with this key exists already. */
export function isDuplicate(error: unknown): boolean {
  return (error as ServerError).code === DUPLICATE;
}

/** Maps a server error to an AppError: a full disk is retryable, as with SQLite; a missing privilege needs an operator. */
export function asStorageFault(error: unknown): unknown {
  const { code = "", severity } = error as ServerError;
  if (severity === undefined) return error;
  if (FULL.test(code)) return unreachable("The database server is out of space. Nothing was stored.", error);
  if (code === NO_RIGHTS) return withoutRights(error);
  return error;
}

function withoutRights(error: unknown): AppError {
  return new AppError(
    "database_no_rights",
    `The role of DATABASE_URL lacks a privilege: ${messageOf(error)}. Grant it \`usage, create\` on the schema and \`select, insert, update, delete\` on all tables in it; without \`create\`, another role must run the migrations.`,
    { cause: error },
  );
}

export function unreachable(message: string, cause: unknown): AppError {
  return new AppError("storage_unavailable", message, { retryable: true, cause });
}
