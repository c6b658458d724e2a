import type { TransferConflict, TransferKind } from "../../contract/transfers.ts";
import { agentRunWorkflow } from "../agents/agent-run.ts";
import { changeStatements } from "../documents/store/changes.sql.ts";
import type { IdPrefix } from "../lib/ids.ts";
import { createSecret, hashKey } from "../security/api-keys.ts";

/** Rows that prevent a transfer. The statements know `$id`, `$sourceId` and `$targetId`. */
interface Conflict {
  kind: TransferConflict["kind"];
  id: string;
  name: string;
  from: string;
  /** Also prevents a copy. */
  ofCopy?: true;
}

/** How records of one kind get another owner. Workflows, whose runs go along, have their own module. */
export interface RecordKind {
  noun: Exclude<TransferKind, "workflow">;
  table: string;
  /** The column with its name. */
  name: string;
  /** Holds for a row that is no longer in the API. */
  gone?: string;
  /** Columns that may name other records. */
  refers: readonly string[];
  /** Names of secrets that are not written as a placeholder. */
  secretsIn?(row: Record<string, unknown>): string[];
  /** A copy is one statement: its id begins with `prefix`, and these columns are taken over. Unset: another part copies it. */
  copy?: {
    prefix: IdPrefix;
    columns: readonly string[];
    /** Columns with a new value. */
    fresh: Readonly<Record<string, (now: number) => string | number>>;
  };
  conflicts: readonly Conflict[];
  /** Locked before the record. */
  lock?: string;
  /** What else the move sets. */
  set?: string;
  /** Rows that move in the same transaction. */
  owned: readonly { table: string; where: string }[];
  /** Further statements of it; `MOVED` holds when the record was moved. */
  also?: readonly string[];
}

export const MOVED = "/*moved*/";

const OPEN = "('queued', 'running', 'waiting', 'waiting_approval')";
const exposed = (kind: "agent" | "team") => ({
  conflict: {
    kind: "exposure",
    id: "e.record_id",
    name: "e.name",
    from: `from exposure as e where e.owner_id = $sourceId and e.kind = '${kind}' and e.record_id = $id
      and exists (select 1 from exposure as t where t.owner_id = $targetId and t.name = e.name)`,
  } as const,
  rows: { table: "exposure", where: `kind = '${kind}' and record_id = $id` },
});
const beingMoved = (table: "team" | "document", name: string): Conflict => ({
  kind: "move",
  id: "b.id",
  name: `b.${name}`,
  from: `from ${table} as b where b.id = $id and b.former_owner_id is not null`,
});
const setNow = (now: number) => now;

const agent: RecordKind = {
  noun: "agent",
  table: "agent",
  name: "name",
  refers: ["tools", "connection_id", "system_prompt"],
  copy: {
    prefix: "agent",
    columns: [
      "name",
      "description",
      "role",
      "provider",
      "model",
      "connection_id",
      "base_url",
      "capabilities",
      "system_prompt",
      "temperature",
      "tools",
      "limits",
    ],
    fresh: { created_at: setNow, updated_at: setNow },
  },
  conflicts: [
    {
      kind: "run",
      id: "r.id",
      name: "r.status",
      from: `from task as r where r.owner_id = $sourceId and r.status <> 'completed' and r.status in ${OPEN}
        and r.workflow_id = '${agentRunWorkflow.id}' and r.input like '%"agentId":"' || $id || '"%'`,
    },
    exposed("agent").conflict,
  ],
  set: "updated_at = $now",
  owned: [
    exposed("agent").rows,
    // Its memory, and that of its conversations.
    { table: "store_value", where: "(scope = $id or (scope > $id || ':' and scope < $id || ';'))" },
  ],
};

const team: RecordKind = {
  noun: "team",
  table: "team",
  name: "name",
  refers: ["agents", "external_agents", "member_instructions"],
  secretsIn: (row) =>
    (JSON.parse(String(row["external_agents"])) as { credential?: { secret: string } }[]).flatMap(
      ({ credential }) => credential?.secret ?? [],
    ),
  copy: {
    prefix: "team",
    columns: [
      "name",
      "description",
      "agents",
      "external_agents",
      "topology",
      "limits",
      "member_instructions",
    ],
    // Nobody knows it: external agents of the copy get their own.
    fresh: { secret_hash: () => hashKey(createSecret()), created_at: setNow, updated_at: setNow },
  },
  conflicts: [
    {
      kind: "session",
      id: "s.id",
      name: "s.status",
      from: "from session as s where s.team_id = $id and s.status in ('waiting', 'active') and s.owner_id <> ''",
    },
    exposed("team").conflict,
    beingMoved("team", "name"),
  ],
  set: "updated_at = $now, former_owner_id = $sourceId",
  owned: [exposed("team").rows],
  // Their credentials are sealed for the former workspace, and all sessions have ended.
  also: [`delete from a2a_push_config where agent_id = $id and owner_id = $sourceId and ${MOVED}`],
};

const template: RecordKind = {
  noun: "template",
  table: "template",
  name: "name",
  refers: ["graph", "settings"],
  copy: {
    prefix: "tpl",
    columns: [
      "name",
      "description",
      "category",
      "graph",
      "folder",
      "tags",
      "api_settings",
      "settings",
      "form",
      "versions",
    ],
    fresh: { created_at: setNow },
  },
  conflicts: [],
  owned: [],
};

const document: RecordKind = {
  noun: "document",
  table: "document",
  name: "title",
  refers: [],
  gone: "status = 'deleting'",
  conflicts: [
    {
      kind: "ingestion",
      id: "d.id",
      name: "d.status",
      from: "from document as d where d.id = $id and d.status <> 'indexed'",
      ofCopy: true,
    },
    {
      kind: "document",
      id: "d.id",
      name: "d.title",
      from: `from document as d where d.id = $id
        and exists (select 1 from document as t where t.owner_id = $targetId and t.sha256 = d.sha256)`,
      ofCopy: true,
    },
    beingMoved("document", "title"),
  ],
  // As every write to a document: its task first.
  lock: "select id from task where id = $id /*for-update*/",
  set: "former_owner_id = $sourceId, moved_chunks = 0",
  owned: [{ table: "document_tag", where: "document_id = $id" }],
  also: [
    `delete from collection_document where document_id = $id
       and collection_id in (select id from collection where owner_id = $sourceId) and ${MOVED}`,
    // Another epoch: no run of the task can write for the former owner any more. Its next run moves the search index.
    `update task set owner_id = $targetId, epoch = epoch + 1, wake = wake + 1, status = 'queued', worker_id = null,
       run_at = cast($now as bigint), lives = 0, error = null, completed_at = null
     where id = $id and owner_id = $sourceId and ${MOVED}`,
    ...changeStatements("d.owner_id = $targetId and d.former_owner_id = $sourceId"),
  ],
};

export const RECORD_KINDS = { agent, team, template, document } as const;
