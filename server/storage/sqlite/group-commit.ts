import { createBatcher, type Pending } from "../../lib/batcher.ts";
import type { Row, Statement } from "../db.ts";

type PendingBatch = Pending<readonly Statement[], Row[][]>;

export interface GroupCommitPorts {
  run(sql: string): Row[];
  /** Returns the rows of the statement, or its count. */
  write(statement: Statement): Row[];
  /** Makes everything committed so far survive a power cut. */
  sync(): Promise<void>;
}

/**
 * Batches that arrive while the disk is busy are committed together and synced once: one fdatasync for fifty callers in
 * place of fifty. No batch resolves before the sync that covers it has returned. Below the engine's write
 * queue it saves nothing measurable and serves all other stores; without both a call costs two to four times the CPU
 * (npm run bench:commit).
 */
export function createGroupCommit({ run, write, sync }: GroupCommitPorts) {
  const batcher = createBatcher<readonly Statement[], Row[][]>({ send: commit, collectTurn: true });

  async function commit(group: readonly PendingBatch[]): Promise<void> {
    const settle: (() => void)[] = [];
    transact(group, settle);
    await sync();
    for (const done of settle) done();
  }

  function transact(group: readonly PendingBatch[], settle: (() => void)[]): void {
    run("begin immediate");
    try {
      for (const { item: statements, resolve } of group) {
        const rows = statements.map(write);
        settle.push(() => resolve(rows));
      }
      run("commit");
    } catch (error) {
      rollback();
      if (group.length === 1) throw error;
      settle.length = 0;
      transactApart(group, settle);
    }
  }

  /** One batch of the group is invalid: only that one may fail, so each gets its own savepoint. */
  function transactApart(group: readonly PendingBatch[], settle: (() => void)[]): void {
    run("begin immediate");
    try {
      for (const { item: statements, resolve, reject } of group) {
        run("savepoint batch");
        try {
          const rows = statements.map(write);
          settle.push(() => resolve(rows));
        } catch (error) {
          run("rollback to batch");
          settle.push(() => reject(error));
        }
        run("release batch");
      }
      run("commit");
    } catch (error) {
      rollback();
      throw error;
    }
  }

  /** On a full disk SQLite rolls back by itself, and no transaction is left to end. */
  function rollback(): void {
    try {
      run("rollback");
    } catch {
      // No transaction is open, as intended.
    }
  }

  return { submit: batcher.add, idle: batcher.idle };
}
