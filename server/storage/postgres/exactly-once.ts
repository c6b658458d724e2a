import { randomUUID } from "node:crypto";
import type { Row, Statement } from "../db.ts";
import { asStorageFault, faultOf } from "./faults.ts";
import type { Lane } from "./lane.ts";
import { RECEIPT_TIME } from "./prelude.ts";

// What is left behind by a cut between the two round trips must not hold its rows for long.
const BEGIN: Statement[] = [
  { sql: "begin" },
  { sql: "set local idle_in_transaction_session_timeout = 5000" },
];
const LEAVE_RECEIPT = `with gone as (delete from batch_receipt where id = $2)
  insert into batch_receipt (id, at) values ($1, ${RECEIPT_TIME})`;

/**
 * A server with synchronous standbys shows what it could not yet hand on to them, once the session that waited for them
 * is ended. Whoever meets it there has to wait in its place, and only what writes does: this reaches the log, nothing else.
 */
const WAIT_FOR_STANDBYS: Statement = { sql: "select pg_logical_emit_message(true, 'baton', '')" };

/** `again`: it was sent before, and the connection was lost with its answer. */
export type Send = (lane: Lane, statements: readonly Statement[], again: boolean) => Promise<Row[][]>;

/** Sent in one round trip and, when its connection is lost, simply once more: for what is the same done twice. */
export const sendRepeatable: Send = async (lane, statements) => (await lane.session()).run(statements);

/** The same for writes: the second time there may be nothing left to write, and all the same something to wait for. */
export const writeRepeatable: Send = async (lane, statements, again) => {
  const rows = await (await lane.session()).run(again ? [...statements, WAIT_FOR_STANDBYS] : statements);
  return rows.slice(0, statements.length);
};

/**
 * Done once, however often the connection is lost. The answers come before the commit is asked for; a commit whose own
 * answer is lost is told by the receipt that it left: sent again with the same receipt, it either waits for the first
 * and then meets its row, or is the first itself. Each lane keeps one receipt and removes it with the next.
 */
export function sendExactlyOnce(): () => Send {
  const lastReceipts = new WeakMap<Lane, string>();

  /** One for each batch or group of batches, kept over all attempts to send it. */
  return () => {
    const receipt = randomUUID();
    let answered: Row[][] | undefined;

    return async (lane, statements) => {
      const leaveReceipt = {
        sql: LEAVE_RECEIPT,
        params: [receipt, lastReceipts.get(lane) ?? ""],
      };
      const session = await lane.session();
      try {
        const rows = await session.run([...BEGIN, leaveReceipt, ...statements]);
        answered = rows.slice(BEGIN.length + 1);
      } catch (error) {
        if (faultOf(error) === "lost") throw error;
        await session.run([{ sql: "rollback" }]);
        if (answered === undefined) throw error;
        // On a full disk not even the receipt shows whether the first was done: to send its parts anew might do them twice.
        if ((error as { table?: string }).table !== "batch_receipt") throw asStorageFault(error);
        await session.run([WAIT_FOR_STANDBYS]);
        lastReceipts.set(lane, receipt);
        return answered;
      }
      await session.run([{ sql: "commit" }]);
      lastReceipts.set(lane, receipt);
      return answered;
    };
  };
}
