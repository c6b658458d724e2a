import type { TransferNeeds } from "../../../contract/transfers.ts";
import type { Db } from "../../storage/db.ts";
import type { LooseGraph } from "../version.sql.ts";

type Named = TransferNeeds["connections"];

const ID = /\b(?:conn|wf|agent|doc|col|mcp)_[0-9a-hjkmnp-tv-z]{29}\b/g;
const VARIABLE = /\b(?:vars|variables|secrets)\b[.[\s"'\\]*([A-Za-z_][\w-]*)/g;

/** Tables whose ids a graph can contain. */
const REFERRED = {
  connections: { table: "connection", name: "name" },
  workflows: { table: "workflow", name: "name" },
  agents: { table: "agent", name: "name" },
  documents: { table: "document", name: "title" },
  collections: { table: "collection", name: "name" },
  mcpServers: { table: "mcp_server", name: "name" },
} as const;

/** Tables whose rows start a workflow. */
const STARTERS = {
  webhooks: { table: "webhook", name: "name" },
  schedules: { table: "schedule", name: "coalesce(name, cron)" },
  triggers: { table: "triggers", name: "coalesce(name, kind)" },
} as const;

export type NeedStore = ReturnType<typeof createNeedStore>;

export function createNeedStore(db: Db) {
  /** Only records of the source: an id of another workspace in a text is none. */
  const referred = ({ table, name }: { table: string; name: string }, ownerId: string, ids: string) =>
    db.query<{ id: string; name: string }>(
      `select id, ${name} as name from ${table}
       where owner_id = $ownerId and id in (select e.value from json_each(cast($ids as text)) as e) order by id`,
      { ownerId, ids },
    );
  const starters = ({ table, name }: { table: string; name: string }, ownerId: string, workflowId: string) =>
    db.query<{ id: string; name: string }>(
      `select id, ${name} as name from ${table} where owner_id = $ownerId and workflow_id = $workflowId order by id`,
      { ownerId, workflowId },
    );
  const entriesOf = async <Key extends string>(
    tables: Readonly<Record<Key, { table: string; name: string }>>,
    read: (table: { table: string; name: string }) => Promise<Named>,
  ): Promise<Record<Key, Named>> => {
    const entries = Object.entries<{ table: string; name: string }>(tables);
    const read_ = await Promise.all(entries.map(async ([key, table]) => [key, await read(table)] as const));
    return Object.fromEntries(read_) as Record<Key, Named>;
  };

  return {
    /** What the graph refers to in `ownerId` and what `targetId` lacks. Values between the two are never read. */
    async find(
      { ownerId, workflowId, metadata }: { ownerId: string; workflowId: string; metadata: LooseGraph },
      targetId: string,
    ): Promise<Omit<TransferNeeds, "endpoint">> {
      const text = JSON.stringify(metadata);
      const ids = JSON.stringify([...new Set(text.match(ID) ?? [])]);
      const names = JSON.stringify([...new Set([...text.matchAll(VARIABLE)].map(([, name]) => name))]);
      const variables = await db.query<{ name: string }>(
        `select v.name from variable as v where v.owner_id = $ownerId
           and v.name in (select e.value from json_each(cast($names as text)) as e)
           and not exists (select 1 from variable as t where t.owner_id = $targetId and t.name = v.name) order by v.name`,
        { ownerId, targetId, names },
      );
      return {
        ...(await entriesOf(REFERRED, (table) => referred(table, ownerId, ids))),
        ...(await entriesOf(STARTERS, (table) => starters(table, ownerId, workflowId))),
        variables: variables.map(({ name }) => name),
      };
    },
  };
}
