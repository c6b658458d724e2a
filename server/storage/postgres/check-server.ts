import type { Client } from "pg";
import { AppError, messageOf } from "../../lib/errors.ts";

const OLDEST = 140_000;

/** Refuses a server that could not do what the program relies on, with a message that names the cause. */
export async function checkServer(client: Client): Promise<void> {
  const { rows } = await client.query<Record<string, string>>(
    `select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding,
       current_setting('transaction_read_only') as read_only, pg_is_in_recovery()::text as standby, current_schema() as schema`,
  );
  const { version, encoding, read_only, standby, schema } = rows[0]!;
  if (Number(version) < OLDEST)
    throw unusable(
      "database_too_old",
      `is PostgreSQL ${Math.floor(Number(version) / 10_000)}; 14 or newer is needed`,
    );
  if (standby === "true")
    throw unusable(
      "database_read_only",
      "is a standby, which takes no writes; name the primary in DATABASE_URL",
    );
  if (read_only === "on")
    throw unusable("database_read_only", "takes no writes (default_transaction_read_only is on)");
  if (encoding !== "UTF8")
    throw unusable("database_encoding", `has the encoding ${encoding}; it must be UTF8`);
  if (schema === null)
    throw unusable(
      "database_no_schema",
      "has no schema on the role's search_path; create one, or grant its use",
    );
}

/** What is wrong when the very first connection fails. A server that is not there yet is told as such, too. */
export function connectionRefused(error: unknown, url: string): AppError {
  const { hostname, port } = new URL(url);
  const place = `${hostname || "localhost"}:${port || "5432"}`;
  const { code = "" } = error as { code?: string };
  if (code === "28P01" || code === "28000")
    return unusable(
      "database_login_refused",
      `refuses the login of DATABASE_URL: ${messageOf(error)}`,
      error,
    );
  if (code === "3D000")
    return unusable("database_missing", `answers: ${messageOf(error)}. Create it first`, error);
  return new AppError(
    "database_unreachable",
    `No PostgreSQL server can be reached at ${place} (DATABASE_URL): ${messageOf(error) || code}.`,
    { cause: error },
  );
}

/** Of the statements that make tables and functions. */
export function asMigrationFault(error: unknown): unknown {
  const { code = "" } = error as { code?: string };
  if (code === "42501")
    return unusable(
      "database_no_rights",
      `lets this role make no tables (${messageOf(error)}). Grant it \`create\` on the schema, or migrate with another role`,
      error,
    );
  return error;
}

function unusable(code: string, fact: string, cause?: unknown): AppError {
  return new AppError(code, `The database server ${fact}.`, cause === undefined ? {} : { cause });
}
