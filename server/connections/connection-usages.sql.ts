import type { ConnectionUsages } from "../../contract/connections.ts";
import type { Db } from "../storage/db.ts";

/** Records of an owner that name connections, or apps of documents; workflows apart. */
const OTHER_USES = `(
  select 'triggers' as kind, id as id, name as name, settings->>'connection' as used_id from triggers
    where owner_id = $ownerId and removed_at is null
  union select 'triggers', id, name, settings->>'app' from triggers
    where owner_id = $ownerId and removed_at is null
  union select 'agents', id, name, connection_id from agent where owner_id = $ownerId
  union select 'agents', a.id, a.name, e.value->>'connection'
    from agent as a, json_each(coalesce(a.tools->>'apps', '[]')) as e where a.owner_id = $ownerId
  union select 'agents', a.id, a.name, e.value->>'app'
    from agent as a, json_each(coalesce(a.tools->>'apps', '[]')) as e where a.owner_id = $ownerId
  union select 'teams', t.id, t.name, e.value->>'connection'
    from team as t, json_each(t.external_agents) as e where t.owner_id = $ownerId
  union select 'mcpServers', id, name, connection_id from mcp_server where owner_id = $ownerId
) as used`;

/** Per connection. */
const MAX_USES = 1000;

export type ConnectionUsageStore = ReturnType<typeof createConnectionUsages>;

export function createConnectionUsages(db: Db) {
  return {
    /** What uses a connection, or an app from an OpenAPI document, by its id. */
    async list(ownerId: string, usedId: string): Promise<ConnectionUsages> {
      const rows = await db.query(
        `select 'workflows' as kind, w.id as id, w.name as name from workflow_use as u join workflow as w on w.id = u.workflow_id
           where u.used_id = $usedId and w.owner_id = $ownerId
         union select kind, id, name from ${OTHER_USES} where used_id = $usedId
         order by kind, id limit ${MAX_USES}`,
        { ownerId, usedId },
      );
      const of = (kind: keyof ConnectionUsages) =>
        rows
          .filter((row) => row["kind"] === kind)
          .map((row) => ({ id: row["id"] as string, name: row["name"] as string }));
      return {
        workflows: of("workflows"),
        triggers: of("triggers"),
        agents: of("agents"),
        teams: of("teams"),
        mcpServers: of("mcpServers"),
      };
    },

    /** By id, without those that nothing uses. */
    async counts(ownerId: string, usedIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
      const [workflows, others] = await Promise.all([
        db.query(
          `select u.used_id as used_id, count(distinct u.workflow_id) as uses
           from workflow_use as u join workflow as w on w.id = u.workflow_id
           where u.used_id in (select value from json_each(cast($usedIds as text))) and w.owner_id = $ownerId
           group by u.used_id`,
          { ownerId, usedIds: JSON.stringify(usedIds) },
        ),
        db.query(
          `select used_id, count(*) as uses from ${OTHER_USES} where used_id is not null group by used_id`,
          { ownerId },
        ),
      ]);
      const counts = new Map<string, number>();
      for (const row of [...workflows, ...others]) {
        const id = row["used_id"] as string;
        counts.set(id, (counts.get(id) ?? 0) + Number(row["uses"]));
      }
      return counts;
    },
  };
}
