import { AppError, messageOf } from "../../lib/errors.ts";

/** What PostgreSQL says of an error; an error without `severity` is not from the server. */
interface ServerError {
  code?: string;
  severity?: string;
  table?: string;
}

/**
 * - `lost`: the connection, or the server behind it, is gone for now. What was sent may have been done or not.
 * - `collided`: undone because of another transaction; the same again may succeed.
 * - `unprepared`: the connection does not know our prepared statements, as behind a pooler.
 * - `stale`: a prepared statement no longer fits its tables, since a migration has changed one.
 * - `refused`: the statement is at fault, or the server is full.
 */
export type Fault = "lost" | "collided" | "unprepared" | "stale" | "refused";

// connection errors; shutting down, crashed, starting up; too many connections; a standby that takes no writes
const LOST = /^(08|57P0[123]|53300|25006|25P03)/;
// Serialization, deadlock, lock timeout. A unique index may stop what its own `not exists` could not see: a row that
// another transaction was just about to commit. Once more, and it is seen.
const COLLIDED = /^(40001|40P01|55P03|23505)/;
const FULL = /^(53[124]|58030)/;
const NO_RIGHTS = "42501";

export function faultOf(error: unknown): Fault {
  const { code = "", severity } = error as ServerError;
  if (severity === undefined) return error instanceof AppError ? "refused" : "lost";
  if (code === "26000" || code === "42P05") return "unprepared";
  if (code === "0A000" && /cached plan/.test(messageOf(error))) return "stale";
  if (LOST.test(code) || severity === "FATAL" || severity === "PANIC") return "lost";
  return COLLIDED.test(code) ? "collided" : "refused";
}

/** In the words of the program: a full disk passes, like the embedded database's; a missing right is for people to mend. */
export function asStorageFault(error: unknown): unknown {
  const { code = "", severity } = error as ServerError;
  if (severity === undefined) return error;
  if (FULL.test(code))
    return unreachable("The database server takes no more data right now; nothing was stored.", error);
  if (code === NO_RIGHTS) return withoutRights(error);
  return error;
}

function withoutRights(error: unknown): AppError {
  return new AppError(
    "database_no_rights",
    `The database server refuses the role of DATABASE_URL something that the program needs: ${messageOf(error)}. Grant it \`usage, create\` on the schema and \`select, insert, update, delete\` on all tables in it; without \`create\`, another role has to bring the schema up to date.`,
    { cause: error },
  );
}

export function unreachable(message: string, cause: unknown): AppError {
  return new AppError("storage_unavailable", message, { retryable: true, cause });
}
