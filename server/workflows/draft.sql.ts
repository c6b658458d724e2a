import type { Db, Row, Statement } from "../storage/db.ts";
import { removeDraftUses, replaceDraftUses } from "./workflow-use.sql.ts";
import type { LooseGraph } from "./version.sql.ts";
import { serializeInTurns } from "../lib/serialize-json.ts";

export interface DraftRecord {
  workflowId: string;
  baseVersion: number;
  name: string;
  description: string;
  metadata: LooseGraph;
  revision: number;
  updatedAt: number;
  updatedBy: string;
}

/** The last revision of a workflow, and its draft unless that was published or discarded. */
export interface StoredDraft {
  revision: number;
  draft: DraftRecord | undefined;
}

export type DraftStore = ReturnType<typeof createDraftStore>;

export function createDraftStore(db: Db) {
  return {
    async find(workflowId: string): Promise<StoredDraft> {
      const [row] = await db.query("select * from workflow_draft where workflow_id = $workflowId", {
        workflowId,
      });
      return {
        revision: Number(row?.["revision"] ?? 0),
        draft: row === undefined ? undefined : toDraft(row),
      };
    },

    /**
     * Stores the draft over the revision before it; false when another save came first.
     * A workflow without a published version is listed under the name of its draft.
     */
    async save(draft: DraftRecord, isPublished: boolean): Promise<boolean> {
      const [saved = []] = await db.batch([
        ...(await writeDraft(draft)),
        ...(isPublished ? [] : renameUnpublished(draft)),
      ]);
      return saved.length === 1;
    },

    async discard(workflowId: string): Promise<void> {
      await db.batch([
        {
          sql: `update workflow_draft set graph = null, revision = revision + 1
                where workflow_id = $workflowId and graph is not null`,
          params: { workflowId },
        },
        removeDraftUses(workflowId),
      ]);
    },

    /** Makes a revision runnable, as the version with its negative number. */
    async storeSnapshot({ metadata, ...draft }: DraftRecord, now: number): Promise<number> {
      const version = -draft.revision;
      await db.batch([
        {
          // A snapshot that exists becomes young again: retention must not remove it before the new task is stored.
          sql: `insert into workflow_version (workflow_id, version, name, description, graph, note, created_at, created_by)
                values ($workflowId, $version, $name, $description, $graph, 'Draft', $now, $updatedBy)
                on conflict (workflow_id, version) do update set created_at = excluded.created_at`,
          params: {
            workflowId: draft.workflowId,
            version,
            name: draft.name,
            description: draft.description,
            graph: await serializeInTurns(metadata),
            now,
            updatedBy: draft.updatedBy,
          },
        },
      ]);
      return version;
    },

    /** Deletes up to `limit` drafts of this owner's workflows; returns how many. */
    async removeOwned(ownerId: string, limit: number): Promise<number> {
      const [removed = []] = await db.batch([
        {
          sql: `delete from workflow_draft where workflow_id in
                  (select d.workflow_id from workflow_draft as d join workflow as w on w.id = d.workflow_id
                   where w.owner_id = $ownerId limit $limit) returning 1 as one`,
          params: { ownerId, limit },
        },
      ]);
      return removed.length;
    },
  };
}

/** Writes the draft over the revision before it. With the statements that create the workflow, both are stored or neither. */
export async function writeDraft({ metadata, ...draft }: DraftRecord): Promise<Statement[]> {
  return [
    {
      sql: `insert into workflow_draft (workflow_id, base_version, name, description, graph, revision, updated_at, updated_by)
            select id, $baseVersion, $name, $description, $graph, $revision, $updatedAt, $updatedBy
            from workflow where id = $workflowId and deleted_at is null
            on conflict (workflow_id) do update set base_version = excluded.base_version, name = excluded.name,
              description = excluded.description, graph = excluded.graph, revision = excluded.revision,
              updated_at = excluded.updated_at, updated_by = excluded.updated_by
            where workflow_draft.revision = excluded.revision - 1 returning workflow_id`,
      params: { ...draft, graph: await serializeInTurns(metadata) },
    },
    ...replaceDraftUses(draft, metadata),
  ];
}

/** Only while this save is the last one and nothing was published since. */
function renameUnpublished(draft: Omit<DraftRecord, "metadata">): Statement[] {
  const { workflowId, name, description, revision, updatedAt } = draft;
  const rename = {
    sql: `update workflow set name = $name, description = $description
          where id = $workflowId and version <= 1 and exists (select 1 from workflow_draft
            where workflow_id = $workflowId and revision = $revision and updated_at = $updatedAt)`,
    params: { workflowId, name, description, revision, updatedAt },
  };
  // The search recognizes outdated names by the time of the workflow, which this rename keeps.
  const forget = {
    sql: "delete from workflow_search where workflow_id = $workflowId",
    params: { workflowId },
  };
  return [rename, forget];
}

/** Deletes up to `limit` snapshots stored before this time that no task uses; returns how many. */
export async function dropUnusedSnapshots(db: Db, before: number, limit: number): Promise<number> {
  const [dropped = []] = await db.batch([
    {
      sql: `delete from workflow_version where version < 0 and (workflow_id, version) in
              (select v.workflow_id, v.version from workflow_version as v
               where v.version < 0 and v.created_at < $before
                 and not exists (select 1 from task as t where t.workflow_id = v.workflow_id
                   and t.workflow_version = v.version and t.workflow_version < 0)
               limit $limit) returning 1 as one`,
      params: { before, limit },
    },
  ]);
  return dropped.length;
}

function toDraft(row: Row): DraftRecord | undefined {
  if (row["graph"] === null) return undefined;
  return {
    workflowId: row["workflow_id"] as string,
    baseVersion: Number(row["base_version"]),
    name: row["name"] as string,
    description: row["description"] as string,
    metadata: JSON.parse(row["graph"] as string) as LooseGraph,
    revision: Number(row["revision"]),
    updatedAt: Number(row["updated_at"]),
    updatedBy: row["updated_by"] as string,
  };
}
