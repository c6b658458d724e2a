import { randomBytes } from "node:crypto";
import { AppError } from "../lib/errors.ts";
import type { Db } from "./db.ts";

/** More than fits into what is allotted already: on a full disk a small change often still finds its place. */
const TRIAL_BYTES = 64 * 1024;
/** Beside the only row that this table is for. */
const TRIAL_ROW = 2;

/**
 * The same database, and whether it takes work. A look costs a read while all goes well. Once a write was refused because
 * the disk is full or the server away, each look tries one, until one is taken: nobody else might write meanwhile,
 * since whoever sends requests by these looks sends none.
 */
export function watchWrites(db: Db): { db: Db; probe(): Promise<void> } {
  let wasRefused = false;
  let trial: Promise<void> | undefined;

  async function tryToWrite(): Promise<void> {
    await db.batch([
      {
        sql: `insert into key_check (id, sealed) values (${TRIAL_ROW}, $1)
              on conflict (id) do update set sealed = excluded.sealed`,
        params: [randomBytes(TRIAL_BYTES).toString("base64")],
      },
    ]);
    await db.batch([{ sql: `delete from key_check where id = ${TRIAL_ROW}` }]);
    wasRefused = false;
  }

  return {
    db: {
      ...db,
      batch: (statements, options) =>
        db.batch(statements, options).catch((error: unknown) => {
          if (error instanceof AppError && error.code === "storage_unavailable") wasRefused = true;
          throw error;
        }),
    },
    async probe() {
      await db.query("select 1 as one");
      // Anybody may look, as often as he likes: one trial serves all of them.
      if (wasRefused) await (trial ??= tryToWrite().finally(() => (trial = undefined)));
    },
  };
}
