import type { Db } from "../storage/db.ts";
import { FIELD, type IndexedWorkflow, textOf, WORKFLOW } from "./workflow-text.ts";

export type WorkflowIndex = ReturnType<typeof createWorkflowIndex>;

/** An index of this version; a later version of `textOf` increments it, and every workflow is indexed again. */
const INDEX_VERSION = 1;
/** The covering index of workflows holds these columns; a workflow without a current row is outdated. */
const OUTDATED = `from workflow as w left join workflow_search as s on s.workflow_id = w.id
  where w.deleted_at is null and (s.workflow_id is null or s.version <> w.updated_at or s.owner_id <> w.owner_id
    or s.index_version <> ${INDEX_VERSION})`;

/**
 * The names of workflows and their steps as one short row each, so that a search reads no graph. A row has the time of the
 * workflow it was made from: a search first brings outdated rows up to date, so no write of a workflow knows of the index.
 */
export function createWorkflowIndex(db: Db) {
  async function refresh(where: string, params: Record<string, string | number>): Promise<number> {
    const rows = await db.query(
      `select id, owner_id, name, description, folder, tags, graph, updated_at from workflow where id in
         (select w.id ${OUTDATED} ${where} order by w.id desc limit $limit)`,
      params,
    );
    if (rows.length === 0) return 0;
    await db.batch(
      rows.map((row) => ({
        sql: `insert into workflow_search (workflow_id, owner_id, version, index_version, text)
              select id, owner_id, updated_at, ${INDEX_VERSION}, $text from workflow
              where id = $id and updated_at = $updatedAt and owner_id = $ownerId
              on conflict (workflow_id) do update set owner_id = excluded.owner_id, version = excluded.version,
                index_version = excluded.index_version, text = excluded.text`,
        params: {
          id: row["id"] as string,
          ownerId: row["owner_id"] as string,
          updatedAt: Number(row["updated_at"]),
          text: textOf({
            name: row["name"] as string,
            description: row["description"] as string,
            folder: row["folder"] as string,
            tags: JSON.parse(row["tags"] as string) as string[],
            graph: JSON.parse(row["graph"] as string),
          }),
        },
      })),
    );
    return rows.length;
  }

  return {
    /** Brings up to `limit` workflows of this owner up to date, the newest first; returns how many. */
    refreshOwned: (ownerId: string, limit: number) =>
      refresh("and w.owner_id = $ownerId", { ownerId, limit }),

    refreshAny: (limit: number) => refresh("", { limit }),

    /** All workflows of this owner, in no order. One value: ten thousand rows take longer than their text. */
    async read(ownerId: string): Promise<IndexedWorkflow[]> {
      const [row] = await db.query(
        `select string_agg(workflow_id || '${FIELD}' || text, '${WORKFLOW}') as texts from workflow_search where owner_id = $ownerId`,
        { ownerId },
      );
      const texts = (row?.["texts"] as string | null | undefined) ?? "";
      return texts === "" ? [] : texts.split(WORKFLOW);
    },

    /** Deletes up to `limit` rows of this owner; returns how many. */
    async removeOwned(ownerId: string, limit: number): Promise<number> {
      const [removed = []] = await db.batch([
        {
          sql: `delete from workflow_search where workflow_id in
                  (select workflow_id from workflow_search where owner_id = $ownerId limit $limit) returning 1 as one`,
          params: { ownerId, limit },
        },
      ]);
      return removed.length;
    },
  };
}
