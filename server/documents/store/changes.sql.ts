import type { ContentStore } from "./content-store.ts";
import type { Db, Statement } from "../../storage/db.ts";

/** Whoever is further behind reads the whole index anew. */
const KEPT_CHANGES = 10_000;

/**
 * What every process has to know: the vectors of this document are new, or it is gone. To be written last: until the
 * end of the transaction nobody else can note a change.
 */
export function noteChange(documentId: string): Statement[] {
  const params = [documentId];
  return [
    {
      sql: `insert into document_change_count (id, last) select 1, 1 from document where id = $1
            on conflict (id) do update set last = document_change_count.last + 1`,
      params,
    },
    {
      sql: `insert into document_change (number, document_id, owner_id)
            select n.last, d.id, d.owner_id from document_change_count as n, document as d where n.id = 1 and d.id = $1`,
      params,
    },
    {
      sql: `delete from document_change
            where number <= (select last - ${KEPT_CHANGES} from document_change_count where id = 1)`,
    },
  ];
}

export function createDocumentChanges(db: Db): Pick<ContentStore, "lastChange" | "changesAfter"> {
  return {
    async lastChange() {
      const [row] = await db.query("select last from document_change_count where id = 1");
      return Number(row?.["last"] ?? 0);
    },
    async changesAfter(number) {
      const rows = await db.query(
        "select number, document_id, owner_id from document_change where number > $1 order by number",
        [number],
      );
      return rows.map((row) => ({
        number: Number(row["number"]),
        documentId: row["document_id"] as string,
        ownerId: row["owner_id"] as string,
      }));
    },
  };
}
