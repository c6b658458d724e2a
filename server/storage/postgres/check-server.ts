import type { Client } from "pg";
import type { ErrorCode } from "../../../contract/errors.ts";
import { AppError, messageOf } from "../../lib/errors.ts";
import { type AddressSetting, hostAndPort } from "./address.ts";
import { connectionRefused } from "./connection-refused.ts";
import { cutOff } from "./lane.ts";

const OLDEST = 140_000;

export interface ServerCheck {
  connectTo(url: string): Promise<Client>;
  url: string;
  setting: AddressSetting;
  /** How long the server may take to reply. */
  timeoutMs: number;
}

/**
 * Refuses a server that lacks what Baton needs, with an error that names the cause and the setting. Detects a pooler: it
 * reports its own number as the process id of the server.
 */
export async function checkServer({
  connectTo,
  url,
  setting,
  timeoutMs,
}: ServerCheck): Promise<{ isPooled: boolean }> {
  const unusable = (code: ErrorCode, fact: string, cause?: unknown): AppError =>
    new AppError(code, `The database server at ${hostAndPort(url)} (${setting}) ${fact}.`, { cause });

  const client = await connectTo(url).catch((error: unknown) => {
    throw connectionRefused(error, url, setting);
  });
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    cutOff(client);
  }, timeoutMs);
  try {
    const facts = await factsOf(client);
    assertSupported(facts, unusable);
    return { isPooled: facts["pid"] !== String((client as unknown as { processID: number }).processID) };
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (timedOut)
      throw unusable(
        "database_silent",
        "accepts the connection but does not reply; a pooler in front of it may have too few connections",
        error,
      );
    if (/statement pooling/.test(messageOf(error)))
      throw unusable(
        "database_no_transactions",
        `allows no transactions: ${messageOf(error)}. The pooler in front of it needs pool_mode = transaction or session`,
        error,
      );
    throw connectionRefused(error, url, setting);
  } finally {
    clearTimeout(timer);
    await client.end();
  }
}

async function factsOf(client: Client): Promise<Record<string, string | null>> {
  // Inside a transaction, because a pooler in statement mode allows none.
  await client.query("begin");
  const { rows } = await client.query<Record<string, string | null>>(
    `select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding,
       current_setting('transaction_read_only') as read_only, pg_is_in_recovery()::text as standby, current_schema() as schema,
       pg_backend_pid()::text as pid`,
  );
  await client.query("commit");
  return rows[0]!;
}

function assertSupported(
  { version, encoding, read_only, standby, schema }: Record<string, string | null>,
  unusable: (code: ErrorCode, fact: string) => AppError,
): void {
  if (Number(version) < OLDEST)
    throw unusable(
      "database_too_old",
      `is PostgreSQL ${Math.floor(Number(version) / 10_000)}; Baton needs 14 or newer`,
    );
  if (standby === "true")
    throw unusable(
      "database_read_only",
      "is a standby and accepts no writes; use the address of the primary",
    );
  if (read_only === "on")
    throw unusable("database_read_only", "accepts no writes (default_transaction_read_only is on)");
  if (encoding !== "UTF8")
    throw unusable("database_encoding", `has the encoding ${encoding}; it must be UTF8`);
  if (schema === null)
    throw unusable(
      "database_no_schema",
      "has no schema on the role's search_path; create one, or grant usage on it",
    );
}
