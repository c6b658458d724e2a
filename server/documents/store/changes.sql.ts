import type { Db, SqlValue, Statement } from "../../storage/db.ts";
import type { ContentStore } from "./content-store.ts";

/** A process that is further behind reads the whole index again. */
const KEPT_CHANGES = 10_000;

/**
 * Logs that the vectors of a document are new or gone, if `condition` holds for its row `d`. To be written last: the
 * counter's row stays locked until the commit, so no process sees a number before a smaller one.
 */
export function logChange(
  condition: string,
  params: { documentId: string } & Record<string, SqlValue>,
): Statement[] {
  const [count = "", log = "", trim = ""] = changeStatements(condition);
  return [{ sql: count, params }, { sql: log, params }, { sql: trim }];
}

/** The same as text, with `$documentId` and the parameters of `condition`. */
export function changeStatements(condition: string): string[] {
  return [
    `insert into document_change_count (id, last) select 1, 1 from document as d where d.id = $documentId and ${condition}
     on conflict (id) do update set last = document_change_count.last + 1`,
    `insert into document_change (number, document_id, owner_id)
     select n.last, d.id, d.owner_id from document_change_count as n, document as d
     where n.id = 1 and d.id = $documentId and ${condition}`,
    `delete from document_change
     where number <= (select last - ${KEPT_CHANGES} from document_change_count where id = 1)`,
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
        "select number, document_id from document_change where number > $number order by number",
        { number },
      );
      return rows.map((row) => ({
        number: Number(row["number"]),
        documentId: row["document_id"] as string,
      }));
    },
  };
}
