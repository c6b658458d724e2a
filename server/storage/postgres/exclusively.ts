import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../../lib/errors.ts";
import type { ExclusiveDb, Row, Statement } from "../db.ts";
import { asStorageFault, faultOf, unreachable } from "./faults.ts";
import type { Session } from "./lane.ts";

// Any number, as long as every version of Baton uses the same.
const LOCK = 7_112_358;
const PAUSE_MS = 100;
const STEP = "savepoint step";

/**
 * Runs `work` under an advisory lock shared by all processes, in one transaction of this session: all or nothing, the lock
 * holds through a pooler, and one pooled connection is enough. Work on another connection could wait forever for the one
 * that holds the lock.
 */
export async function exclusively<T>(own: Session, work: (alone: ExclusiveDb) => Promise<T>): Promise<T> {
  const session: Session = {
    run: (statements) =>
      own.run(statements).catch((error: unknown) => {
        throw faultOf(error) === "lost"
          ? unreachable("The database server cannot be reached right now.", error)
          : error;
      }),
  };
  await takeLock(session);
  const result = await work(withSavepoints(session));
  await session.run([{ sql: "commit" }]);
  return result;
}

/** Waits outside a transaction: four processes waiting inside theirs would occupy all four connections of a pooler. */
async function takeLock(session: Session): Promise<void> {
  for (;;) {
    const [, , rows] = await session.run([
      { sql: "begin" },
      { sql: "set local idle_in_transaction_session_timeout = 0" },
      { sql: `select pg_try_advisory_xact_lock(${LOCK}) as taken` },
    ]);
    if (rows?.[0]?.["taken"] === 1) return;
    await session.run([{ sql: "rollback" }]);
    await sleep(PAUSE_MS * (0.5 + Math.random()));
  }
}

/** A savepoint per batch: a batch that fails does not undo the ones before it. */
function withSavepoints(session: Session): ExclusiveDb {
  async function batch(statements: readonly Statement[]): Promise<Row[][]> {
    try {
      const rows = await session.run([{ sql: STEP }, ...statements, { sql: `release ${STEP}` }]);
      return rows.slice(1, -1);
    } catch (error) {
      if (!(error instanceof AppError)) await session.run([{ sql: `rollback to ${STEP}` }]);
      throw asStorageFault(error);
    }
  }
  return {
    async query<R extends Row>(sql: string, params?: Statement["params"]): Promise<R[]> {
      const [rows] = await batch([{ sql, ...(params && { params }) }]);
      return rows as R[];
    },
    batch,
  };
}
