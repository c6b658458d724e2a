import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";

// Any number, as long as every version of the program asks for the same.
const MIGRATION_LOCK = 7_112_358;
const PAUSE_MS = 100;

/**
 * Returns when this client holds the lock, until it is closed. A transaction holds it and not the session, so it holds
 * through a pooler, too. Whoever waits does so outside of a transaction: four that wait inside of theirs fill a
 * pooler's four connections, and the one that they wait for finds none to work on.
 */
export async function takeMigrationLock(client: Client): Promise<void> {
  for (;;) {
    await client.query("begin");
    await client.query("set local idle_in_transaction_session_timeout = 0");
    const { rows } = await client.query<{ taken: boolean }>(
      `select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as taken`,
    );
    if (rows[0]?.taken === true) return;
    await client.query("rollback");
    await sleep(PAUSE_MS * (0.5 + Math.random()));
  }
}
