import type { TransferConflict } from "../../contract/transfers.ts";
import { notFound } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import type { Db, SqlValue, Statement } from "../storage/db.ts";
import { throwNotFoundOrForbidden } from "../storage/ownership.ts";
import { mayBuild } from "../workspaces/may-build.ts";
import { MOVED, type RecordKind } from "./record-kinds.ts";

export interface RecordTransfer {
  id: string;
  sourceId: string;
  targetId: string;
  userId: string;
  now: number;
}

const CONFLICTS_SHOWN = 10;

export type RecordStore = ReturnType<typeof createRecordStore>;

/** Copies and moves records as their kind describes it. */
export function createRecordStore(db: Db) {
  return {
    /** Throws `<noun>_not_found` or `forbidden`. */
    async read(
      kind: RecordKind,
      { id, sourceId }: Pick<RecordTransfer, "id" | "sourceId">,
    ): Promise<{ text: string; secrets: string[] }> {
      const [row] = await db.query(
        `select ${[...kind.refers, `case when ${kind.gone ?? "1 = 0"} then 1 else 0 end as gone`].join(", ")} from ${kind.table} where id = $id and owner_id = $sourceId`,
        { id, sourceId },
      );
      if (row === undefined) return throwNotFoundOrForbidden(db, kind.table, kind.noun, id);
      if (Number(row["gone"]) === 1) throw notFound(kind.noun, id);
      return {
        text: kind.refers.map((column) => String(row[column] ?? "")).join("\n"),
        secrets: kind.secretsIn?.(row) ?? [],
      };
    },

    async findConflicts(
      { conflicts }: RecordKind,
      transfer: Pick<RecordTransfer, "id" | "sourceId" | "targetId">,
      verb: "copy" | "move",
    ): Promise<TransferConflict[]> {
      const found: TransferConflict[] = [];
      for (const { kind, id, name, from } of conflicts.filter((one) => verb === "move" || one.ofCopy)) {
        const { sql, params } = bind(
          `select ${id} as id, ${name} as name ${from} order by 1 limit ${CONFLICTS_SHOWN}`,
          transfer,
        );
        const rows = await db.query<{ id: string; name: string }>(sql, params);
        found.push(...rows.map((row) => ({ kind, ...row })));
      }
      return found;
    },

    /** The id of the copy; undefined when the record or the right to create it is gone. */
    async copy(kind: RecordKind, transfer: RecordTransfer): Promise<string | undefined> {
      const { prefix, columns, fresh } = kind.copy!;
      const values = Object.fromEntries(
        Object.entries(fresh).map(([column, valueOf]) => [column, valueOf(transfer.now)]),
      );
      const given = Object.keys(values).map((column) =>
        typeof values[column] === "number" ? `cast($${column} as bigint)` : `$${column}`,
      );
      const copyId = createId(prefix, transfer.now);
      const [copied = []] = await db.batch([
        bind(
          `insert into ${kind.table} (id, owner_id, ${[...columns, ...Object.keys(values)].join(", ")})
           select $copyId, $targetId, ${[...columns, ...given].join(", ")} from ${kind.table}
           where id = $id and owner_id = $sourceId and ${mayBuild("$targetId")} returning id`,
          { ...transfer, ...values, copyId },
        ),
      ]);
      return copied.length === 1 ? copyId : undefined;
    },

    /** False when the record or a right is gone, or a conflict appeared. */
    async move(kind: RecordKind, transfer: RecordTransfer): Promise<boolean> {
      const { table, conflicts, lock, set, owned, also = [] } = kind;
      const isMoved = `exists (select 1 from ${table} where id = $id and owner_id = $targetId)`;
      const free = conflicts.map(({ from }) => `and not exists (select 1 ${from})`).join(" ");
      const before = lock === undefined ? [] : [bind(lock, transfer)];
      const results = await db.batch(
        [
          ...before,
          bind(
            `update ${table} set owner_id = $targetId${set === undefined ? "" : `, ${set}`}
             where id = $id and owner_id = $sourceId and ${mayBuild("$sourceId")} and ${mayBuild("$targetId")} ${free}
             returning id`,
            transfer,
          ),
          ...owned.map((rows) =>
            bind(
              `update ${rows.table} set owner_id = $targetId where owner_id = $sourceId and ${rows.where} and ${isMoved}`,
              transfer,
            ),
          ),
          ...also.map((sql) => bind(sql.replaceAll(MOVED, isMoved), transfer)),
        ],
        { alone: true },
      );
      return results[before.length]?.length === 1;
    },
  };
}

/** The statement with those of the parameters that it names. */
function bind(sql: string, given: object): Statement & { params: Record<string, SqlValue> } {
  const all = "id" in given ? { ...given, documentId: given.id } : given;
  const named = new Set([...sql.matchAll(/\$(\w+)/g)].map(([, name]) => name));
  return { sql, params: Object.fromEntries(Object.entries(all).filter(([name]) => named.has(name))) };
}
