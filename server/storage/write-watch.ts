import { randomBytes } from "node:crypto";
import { AppError } from "../lib/errors.ts";
import type { Db } from "./db.ts";

/** Larger than the free space within allocated pages: on a full disk a small write often still succeeds. */
const TRIAL_BYTES = 64 * 1024;
/** Separate from row 1, which holds the key check. */
const TRIAL_ROW = 2;

/**
 * The same database with a readiness probe. While writes succeed, a probe costs one read. After a write failed because
 * the disk is full or the server is unreachable, each probe tries a write until one succeeds: a load balancer that
 * follows the probe sends no requests meanwhile, so no other write would clear the state.
 */
export function watchWrites(
  db: Db,
  /** Called with the duration of every write in seconds. */
  onWrite: (seconds: number) => void = () => undefined,
): { db: Db; probe(): Promise<void> } {
  let writeFailed = false;
  let trial: Promise<void> | undefined;

  async function tryWrite(): Promise<void> {
    await db.batch([
      {
        sql: `insert into key_check (id, sealed) values (${TRIAL_ROW}, $sealed)
              on conflict (id) do update set sealed = excluded.sealed`,
        params: { sealed: randomBytes(TRIAL_BYTES).toString("base64") },
      },
    ]);
    await db.batch([{ sql: `delete from key_check where id = ${TRIAL_ROW}` }]);
    writeFailed = false;
  }

  return {
    db: {
      ...db,
      batch(statements, options) {
        const began = performance.now();
        return db.batch(statements, options).then(
          (rows) => {
            onWrite((performance.now() - began) / 1000);
            return rows;
          },
          (error: unknown) => {
            onWrite((performance.now() - began) / 1000);
            if (error instanceof AppError && error.code === "storage_unavailable") writeFailed = true;
            throw error;
          },
        );
      },
    },
    async probe() {
      await db.query("select 1 as one");
      // Probes are public and may come often: one trial write serves all that wait for it.
      if (writeFailed) await (trial ??= tryWrite().finally(() => (trial = undefined)));
    },
  };
}
