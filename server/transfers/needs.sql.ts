import type { TransferNeeds, TransferUse } from "../../contract/transfers.ts";
import type { Db, Row } from "../storage/db.ts";

type Named = TransferNeeds["connections"];

const ID = /\b(?:conn|wf|agent|doc|col|mcp|api)_[0-9a-hjkmnp-tv-z]{29}\b/g;
const VARIABLE = /\b(?:vars|variables|secrets)\b[.[\s"'\\]*([A-Za-z_][\w-]*)/g;

/** Tables whose ids a graph can contain. */
const REFERRED = {
  connections: { table: "connection", name: "name" },
  workflows: { table: "workflow", name: "name" },
  agents: { table: "agent", name: "name" },
  documents: { table: "document", name: "title" },
  collections: { table: "collection", name: "name" },
  mcpServers: { table: "mcp_server", name: "name" },
  apps: { table: "api_app", name: "title" },
} as const;

/** Tables whose rows start a workflow. */
const STARTERS = {
  webhooks: { table: "webhook", name: "name" },
  schedules: { table: "schedule", name: "coalesce(name, cron)" },
  triggers: { table: "triggers", name: "coalesce(name, kind)" },
} as const;

const GRAPHS_PER_QUERY = 20;

interface Referring {
  ownerId: string;
  recordId: string;
  text: string;
  /** Names of secrets that are not placeholders in the text. */
  secrets?: readonly string[];
}

export type NeedStore = ReturnType<typeof createNeedStore>;

export function createNeedStore(db: Db) {
  /** Only records of the source: an id of another workspace in a text does not count. */
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
    const found = await Promise.all(entries.map(async ([key, table]) => [key, await read(table)] as const));
    return Object.fromEntries(found) as Record<Key, Named>;
  };

  return {
    /** What `text` refers to in `ownerId` and what `targetId` lacks. Values of variables are never read. */
    async find(
      { ownerId, recordId, text, secrets = [] }: Referring,
      targetId: string,
    ): Promise<Omit<TransferNeeds, "endpoint">> {
      const ids = JSON.stringify([...new Set(text.match(ID) ?? [])].filter((id) => id !== recordId));
      const placeholders = [...text.matchAll(VARIABLE)].map(([, name]) => name);
      const names = JSON.stringify([...new Set([...placeholders, ...secrets])]);
      const variables = await db.query<{ name: string }>(
        `select v.name from variable as v where v.owner_id = $ownerId
           and v.name in (select e.value from json_each(cast($names as text)) as e)
           and not exists (select 1 from variable as t where t.owner_id = $targetId and t.name = v.name) order by v.name`,
        { ownerId, targetId, names },
      );
      return {
        ...(await entriesOf(REFERRED, (table) => referred(table, ownerId, ids))),
        ...(await entriesOf(STARTERS, (table) => starters(table, ownerId, recordId))),
        variables: variables.map(({ name }) => name),
      };
    },

    /** Settings of triggers and the draft: they move with the workflow and refer to records, too. */
    async movedText(ownerId: string, workflowId: string): Promise<string> {
      const rows = await db.query<{ text: string | null }>(
        `select settings as text from triggers where owner_id = $ownerId and workflow_id = $workflowId
         union all select graph from workflow_draft where workflow_id = $workflowId`,
        { ownerId, workflowId },
      );
      return rows.map(({ text }) => text ?? "").join("\n");
    },

    /** Records of the owner that name this one. */
    async findUses(ownerId: string, recordId: string): Promise<TransferUse[]> {
      const named = `%"${recordId}"%`;
      const uses: TransferUse[] = [];
      for (let after = "", more = true; more;) {
        // Graphs may be a megabyte each, so one query reads a few.
        const page = await db.query<{ id: string; name: string; uses: number }>(
          `select id, name, case when graph like $named then 1 else 0 end as uses from workflow
           where owner_id = $ownerId and deleted_at is null and id > $after and id <> $recordId order by id limit ${GRAPHS_PER_QUERY}`,
          { ownerId, recordId, named, after },
        );
        for (const { id, name, uses: isUsed } of page)
          if (Number(isUsed) === 1) uses.push({ kind: "workflow", id, name });
        after = page.at(-1)?.id ?? after;
        more = page.length === GRAPHS_PER_QUERY;
      }
      const others = await db.query<TransferUse & Row>(
        `select 'agent' as kind, id, name from agent where owner_id = $ownerId and tools like $named
         union all select 'team', id, name from team where owner_id = $ownerId and agents like $named
         union all select 'trigger', id, coalesce(name, kind) from triggers
           where owner_id = $ownerId and settings like $named and coalesce(workflow_id, '') <> $recordId
         union all select 'collection', c.id, c.name from collection_document as d join collection as c on c.id = d.collection_id
           where d.document_id = $recordId and c.owner_id = $ownerId
         order by 1, 2`,
        { ownerId, recordId, named },
      );
      return [...uses, ...others];
    },
  };
}
