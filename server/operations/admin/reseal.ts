import { AppError } from "../../lib/errors.ts";
import { usage } from "../command.ts";
import type { SecretBox } from "../../security/secret-box.ts";
import type { Db, Row } from "../../storage/db.ts";
import { resealKeyCheck } from "../../storage/key-check.ts";
import type { AdminContext } from "./admin-context.ts";
import { openInstance } from "./open-instance.ts";
import {
  listSealed,
  replaceSealed,
  SEALED_COLUMNS,
  type SealedColumn,
} from "../../storage/sealed-columns.ts";

const ROWS_PER_BATCH = 200;

/** `npm run admin -- reseal` */
export async function reseal({ config, args, log }: AdminContext): Promise<void> {
  if (args.length > 0) throw usage("admin", "reseal");
  const { db, box, close } = await openInstance(config, log);
  try {
    let unreadable = 0;
    for (const column of SEALED_COLUMNS) {
      const done = await resealColumn(db, box, column);
      log(`${column.table}: ${done.resealed} encrypted with the newest key`);
      unreadable += done.unreadable;
    }
    if (unreadable > 0)
      throw new AppError(
        "secret_unreadable",
        `Secrets that the keys of ENCRYPTION_KEY cannot read: ${unreadable}. Add the key they were encrypted with and run this command again.`,
      );
    await resealKeyCheck(db, box);
    log("every secret uses the newest key. Older keys are needed only to restore older backups.");
  } finally {
    await close();
  }
}

/** Rows that already use the newest key are skipped, so an interrupted command continues where it stopped. */
export async function resealColumn(db: Db, box: SecretBox, column: SealedColumn) {
  let last: Row | undefined;
  let resealed = 0;
  let unreadable = 0;
  for (;;) {
    const rows = await listSealed(db, column, { last, newest: box.currentPrefix, limit: ROWS_PER_BATCH });
    const updates = rows.flatMap((row) => {
      const context = column.contextOf(row);
      const text = openOrUndefined(box, String(row["sealed"]), context);
      if (text === undefined) unreadable += 1;
      return text === undefined ? [] : [replaceSealed(column, row, box.seal(text, context))];
    });
    if (updates.length > 0) await db.batch(updates);
    resealed += updates.length;
    last = rows.at(-1);
    if (last === undefined) return { resealed, unreadable };
  }
}

function openOrUndefined(box: SecretBox, sealed: string, context: string): string | undefined {
  try {
    return box.open(sealed, context);
  } catch (error) {
    if (error instanceof AppError && error.code === "secret_unreadable") return undefined;
    throw error;
  }
}
