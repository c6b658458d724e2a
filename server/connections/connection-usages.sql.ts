import type { ConnectionUsages } from "../../contract/connections.ts";
import type { Db, Row } from "../storage/db.ts";

/** The id is random and in quotes, so a text that contains it names the connection, at any depth. */
const QUERIES: Record<keyof ConnectionUsages, string> = {
  workflows: `select id, name from workflow where owner_id = $ownerId and deleted_at is null
    and (graph like $pattern or exists
      (select 1 from workflow_draft where workflow_draft.workflow_id = workflow.id and workflow_draft.graph like $pattern))`,
  triggers: "select id, name from triggers where owner_id = $ownerId and settings like $pattern",
  agents: "select id, name from agent where owner_id = $ownerId and tools like $pattern",
  teams: "select id, name from team where owner_id = $ownerId and external_agents like $pattern",
};

export type ListConnectionUsages = (ownerId: string, id: string) => Promise<ConnectionUsages>;

export function createConnectionUsages(db: Db): ListConnectionUsages {
  return async (ownerId, id) => {
    const list = async (query: string) => {
      const rows = await db.query(`${query} order by id limit 200`, { ownerId, pattern: `%"${id}"%` });
      return rows.map((row: Row) => ({ id: row["id"] as string, name: row["name"] as string }));
    };
    const [workflows, triggers, agents, teams] = await Promise.all([
      list(QUERIES.workflows),
      list(QUERIES.triggers),
      list(QUERIES.agents),
      list(QUERIES.teams),
    ]);
    return { workflows, triggers, agents, teams };
  };
}
