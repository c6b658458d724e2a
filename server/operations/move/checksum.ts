import { createHash } from "node:crypto";
import type { Db } from "../../storage/db.ts";
import { batchesOf, withoutNull } from "./copy-table.ts";
import { quoted, type Source, type SourceRow, type SourceTable } from "./source.ts";

const PAGE_BYTES = 4 * 1024 * 1024;
const MAX_PAGE = 1000;

/** The checksum of a whole table, independent of row order: the row count and the sum of the row hashes. */
export interface Checksum {
  rows: number;
  sum: bigint;
}

export function checksumOfSource(source: Source, table: SourceTable): Checksum {
  const checksum: Checksum = { rows: 0, sum: 0n };
  for (const batch of batchesOf(source, table)) for (const { row } of batch) add(checksum, table, row);
  return checksum;
}

export async function checksumOfTarget(target: Db, table: SourceTable): Promise<Checksum> {
  const checksum: Checksum = { rows: 0, sum: 0n };
  const key = table.primaryKey.map(quoted).join(", ");
  const columns = table.columns.map(quoted).join(", ");
  let last: SourceRow | undefined;
  for (let limit = 8; ;) {
    const after = last;
    const places = table.primaryKey.map((_name, i) => `$${i + 1}`).join(", ");
    const where = after === undefined ? "" : `where (${key}) > (${places})`;
    const params = after === undefined ? [] : table.primaryKey.map((name) => after[name] ?? null);
    const rows = await target.query<SourceRow>(
      `select ${columns} from ${quoted(table.name)} ${where} order by ${key} limit cast($${params.length + 1} as bigint)`,
      [...params, limit],
    );
    let bytes = 1;
    for (const row of rows) bytes += add(checksum, table, row);
    if (rows.length < limit) return checksum;
    last = rows.at(-1);
    limit = Math.max(1, Math.min(MAX_PAGE, limit * 4, Math.floor((PAGE_BYTES * rows.length) / bytes)));
  }
}

/** Returns the row's length. PostgreSQL stores U+0000 as U+FFFD. */
function add(checksum: Checksum, { columns }: SourceTable, row: SourceRow): number {
  const text = JSON.stringify(
    columns.map((column) => {
      const value = row[column] ?? null;
      if (value instanceof Uint8Array) return { sha256: createHash("sha256").update(value).digest("hex") };
      return typeof value === "string" ? withoutNull(value) : value;
    }),
  );
  const hash = createHash("sha256").update(text).digest();
  checksum.rows += 1;
  checksum.sum = BigInt.asUintN(
    128,
    checksum.sum + hash.readBigUInt64LE(0) + (hash.readBigUInt64LE(8) << 64n),
  );
  return text.length;
}
