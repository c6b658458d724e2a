import type { Row, Statement } from "../db.ts";

interface Waiting {
  statements: readonly Statement[];
  resolve(rows: Row[][]): void;
  reject(reason: unknown): void;
}

export interface GroupCommitPorts {
  run(sql: string, params?: Statement["params"]): Row[];
  /** Makes everything committed so far survive a power cut. */
  sync(): Promise<void>;
}

/**
 * Batches that arrive while the disk is busy are committed together and synced once: one fdatasync for fifty
 * callers in place of fifty. Nobody hears of success before the sync that covers him has returned.
 */
export function createGroupCommit({ run, sync }: GroupCommitPorts) {
  let waiting: Waiting[] = [];
  let active: Promise<void> | undefined;

  function submit(statements: readonly Statement[]): Promise<Row[][]> {
    return new Promise((resolve, reject) => {
      waiting.push({ statements, resolve, reject });
      active ??= drain();
    });
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      // One turn of the event loop lets every request that has already arrived join this group.
      await new Promise((resolve) => setImmediate(resolve));
      const group = waiting;
      waiting = [];
      await commit(group);
    }
    // In the same turn as the last look at the queue: a batch that arrives between the two would wait for ever.
    active = undefined;
  }

  async function commit(group: Waiting[]): Promise<void> {
    const settle: (() => void)[] = [];
    try {
      transact(group, settle);
      await sync();
    } catch (error) {
      for (const { reject } of group) reject(error);
      return;
    }
    for (const done of settle) done();
  }

  function transact(group: Waiting[], settle: (() => void)[]): void {
    run("begin immediate");
    try {
      for (const { statements, resolve } of group) {
        const rows = statements.map((statement) => run(statement.sql, statement.params));
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

  /** One batch of the group is at fault: only that one may fail, so each gets a savepoint of its own. */
  function transactApart(group: Waiting[], settle: (() => void)[]): void {
    run("begin immediate");
    try {
      for (const { statements, resolve, reject } of group) {
        run("savepoint batch");
        try {
          const rows = statements.map((statement) => run(statement.sql, statement.params));
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

  /** A full disk makes SQLite roll back by itself; then there is no transaction left to end. */
  function rollback(): void {
    try {
      run("rollback");
    } catch {
      // No transaction is open: that is the state we want.
    }
  }

  return { submit, idle: () => active ?? Promise.resolve() };
}
