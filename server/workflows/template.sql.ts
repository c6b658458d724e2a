import type { TemplateVersion } from "../../contract/templates.ts";
import type { TemplateRecord, TemplateStore } from "./templates.ts";
import type { LooseGraph } from "./workflow-record.ts";
import type { Db, Row } from "../storage/db.ts";
import { throwNotFoundOrForbidden } from "../storage/ownership.ts";
import { sizedPage } from "../storage/paging.ts";

export function createTemplateStore(db: Db): TemplateStore {
  return {
    async insert({ id, ownerId, name, description, category, metadata, versions, createdAt }) {
      await db.batch([
        {
          sql: `insert into template (id, owner_id, name, description, category, graph, versions, created_at)
                values ($1, $2, $3, $4, $5, $6, $7, $8)`,
          params: [
            id,
            ownerId,
            name,
            description,
            category,
            JSON.stringify(metadata),
            JSON.stringify(versions),
            createdAt,
          ],
        },
      ]);
    },
    async owned(id, ownerId) {
      const [row] = await db.query("select * from template where id = $1 and owner_id = $2", [id, ownerId]);
      return row === undefined ? throwNotFoundOrForbidden(db, "template", "template", id) : toTemplate(row);
    },
    list: (ownerId, page) =>
      sizedPage(
        db,
        {
          // Without the history: a listing shows the graph, and only an import needs what came before it.
          columns: "id, owner_id, name, description, category, graph, '[]' as versions, created_at",
          from: "from template where owner_id = $ownerId",
          params: { ownerId },
          size: "length(graph)",
        },
        page,
        toTemplate,
      ),
    async remove(id, ownerId) {
      const [removed] = await db.batch([
        { sql: "delete from template where id = $1 and owner_id = $2 returning id", params: [id, ownerId] },
      ]);
      if (removed?.length !== 1) await throwNotFoundOrForbidden(db, "template", "template", id);
    },
  };
}

function toTemplate(row: Row): TemplateRecord {
  return {
    id: row["id"] as string,
    ownerId: row["owner_id"] as string,
    name: row["name"] as string,
    description: row["description"] as string,
    category: row["category"] as string,
    metadata: JSON.parse(row["graph"] as string) as LooseGraph,
    versions: JSON.parse(row["versions"] as string) as TemplateVersion[],
    createdAt: Number(row["created_at"]),
  };
}
