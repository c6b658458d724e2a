import { randomUUID } from "node:crypto";
import type { Row, Statement } from "../db.ts";
import { asStorageFault, faultOf, isDuplicate } from "./faults.ts";
import type { Lane, Session } from "./lane.ts";
import { RECEIPT_TIME } from "./prelude.ts";

// A transaction left open by a connection cut between the two round trips must not hold its locks for long.
const BEGIN: Statement[] = [
  { sql: "begin" },
  { sql: "set local idle_in_transaction_session_timeout = 5000" },
];
const LEAVE_RECEIPT = `with gone as (delete from batch_receipt where id = $lastReceipt)
  insert into batch_receipt (id, at) values ($receipt, ${RECEIPT_TIME})`;

/**
 * With synchronous standbys, a commit becomes visible when the session that waited for them ends, even if they do not
 * have it yet. A retry that finds the committed row must wait for them itself, and only a write waits: this one writes
 * to the WAL and nothing else.
 */
const WAIT_FOR_STANDBYS: Statement = { sql: "select pg_logical_emit_message(true, 'baton', '')" };

/** `again`: it was sent before, and the connection was lost before the reply. */
export type Send = (lane: Lane, statements: readonly Statement[], again: boolean) => Promise<Row[][]>;

/** One round trip, resent when the connection is lost: for idempotent statements. */
export const sendRepeatable: Send = async (lane, statements) => (await lane.session()).run(statements);

/** The same for writes. A resend may find nothing left to write but still has to wait for the standbys. */
export const writeRepeatable: Send = async (lane, statements, again) => {
  const session = await lane.session();
  if (again) return runAgain(session, statements);
  try {
    return await session.run(statements);
  } catch (error) {
    if (!isDuplicate(error) || statements.every(({ copy }) => copy === undefined)) throw error;
    return await runAgain(session, statements);
  }
};

/** Its rows may exist already, which stops a copy and not an insert. */
async function runAgain(session: Session, statements: readonly Statement[]): Promise<Row[][]> {
  const replaced = statements.map((statement) => statement.copy?.otherwise() ?? [statement]);
  const rows = await session.run([...replaced.flat(), WAIT_FOR_STANDBYS]);
  let at = 0;
  return replaced.map(({ length }) => rows.slice(at, (at += length)).flat());
}

/**
 * Applied exactly once, however often the connection is lost. Rows are returned before the commit is sent. A commit whose
 * reply is lost is detected by its receipt row: a resend with the same receipt either waits for the first attempt and then
 * conflicts with its row, or is the first. Each lane keeps one receipt and deletes it with the next.
 */
export function sendExactlyOnce(): () => Send {
  const lastReceipts = new WeakMap<Lane, string>();

  /** Once per batch or group of batches, shared by all attempts to send it. */
  return () => {
    const receipt = randomUUID();
    let returned: Row[][] | undefined;

    return async (lane, statements) => {
      const leaveReceipt = {
        sql: LEAVE_RECEIPT,
        params: { receipt, lastReceipt: lastReceipts.get(lane) ?? "" },
      };
      const session = await lane.session();
      try {
        const rows = await session.run([...BEGIN, leaveReceipt, ...statements]);
        returned = rows.slice(BEGIN.length + 1);
      } catch (error) {
        if (faultOf(error) === "lost") throw error;
        await session.run([{ sql: "rollback" }]);
        if (returned === undefined) throw error;
        // On a full disk the receipt cannot show whether the first attempt committed; resending might apply it twice.
        if ((error as { table?: string }).table !== "batch_receipt") throw asStorageFault(error);
        await session.run([WAIT_FOR_STANDBYS]);
        lastReceipts.set(lane, receipt);
        return returned;
      }
      await session.run([{ sql: "commit" }]);
      lastReceipts.set(lane, receipt);
      return returned;
    };
  };
}
