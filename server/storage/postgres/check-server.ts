import type { Client } from "pg";
import { AppError, messageOf } from "../../lib/errors.ts";
import { type AddressSetting, placeOf } from "./address.ts";

const OLDEST = 140_000;

/** Refuses a server that could not do what the program relies on, with a message that names the cause. */
export async function checkServer(client: Client, url: string, setting: AddressSetting): Promise<void> {
  const unusable = (code: string, fact: string, cause?: unknown): AppError =>
    new AppError(code, `The database server at ${placeOf(url)} (${setting}) ${fact}.`, { cause });

  // In a transaction: a pooler that hands out the server for single statements allows none.
  await client.query("begin").catch((error: unknown) => {
    throw unusable(
      "database_no_transactions",
      `allows no transactions (${messageOf(error)}). A pooler in front of it needs pool_mode = transaction or session`,
      error,
    );
  });
  const { rows } = await client.query<Record<string, string>>(
    `select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding,
       current_setting('transaction_read_only') as read_only, pg_is_in_recovery()::text as standby, current_schema() as schema`,
  );
  await client.query("commit");
  const { version, encoding, read_only, standby, schema } = rows[0]!;
  if (Number(version) < OLDEST)
    throw unusable(
      "database_too_old",
      `is PostgreSQL ${Math.floor(Number(version) / 10_000)}; 14 or newer is needed`,
    );
  if (standby === "true")
    throw unusable("database_read_only", "is a standby, which takes no writes; name the primary");
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
