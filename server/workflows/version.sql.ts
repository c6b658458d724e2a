import type { PageQuery } from "../../contract/api.ts";
import type { Note } from "../../contract/graph.ts";
import { type ResultPage, toResultPage } from "../lib/result-page.ts";
import type { Db, Row, Statement } from "../storage/db.ts";
import { serializeInTurns } from "../lib/serialize-json.ts";

export interface LooseGraph {
  steps: unknown[];
  edges: unknown[];
  notes?: Note[] | undefined;
  inputSchema?: Record<string, unknown> | undefined;
}

export interface VersionRecord {
  workflowId: string;
  version: number;
  name: string;
  description: string;
  metadata: LooseGraph;
  note: string;
  createdAt: number;
  createdBy: string;
}

export interface VersionSummary extends Omit<VersionRecord, "metadata" | "description" | "workflowId"> {
  /** Null when the account was deleted. */
  createdByName: string | null;
}

const AUTHOR_NAME = `coalesce(
  (select coalesce(account.name, account.email) from account where account.id = created_by),
  (select service_account.name from service_account where service_account.id = created_by))`;

/** The history of workflows. */
export function createVersionStore(db: Db) {
  return {
    /** Deletes up to `limit` versions of this owner's workflows; returns how many. */
    async removeVersions(ownerId: string, limit: number): Promise<number> {
      const [removed = []] = await db.batch([
        {
          sql: `delete from workflow_version where (workflow_id, version) in
                  (select v.workflow_id, v.version from workflow_version as v join workflow as w on w.id = v.workflow_id
                   where w.owner_id = $ownerId limit $limit) returning 1 as one`,
          params: { ownerId, limit },
        },
      ]);
      return removed.length;
    },

    /** Published versions: the snapshots of draft runs have negative numbers. */
    async listVersions(
      workflowId: string,
      { limit, cursor }: PageQuery,
    ): Promise<ResultPage<VersionSummary>> {
      const rows = await db.query(
        `select version, name, note, created_at, created_by, ${AUTHOR_NAME} as created_by_name from workflow_version
         where workflow_id = $workflowId and version > 0 and version < $before order by version desc limit $limit`,
        {
          workflowId,
          before: cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor),
          limit: limit + 1,
        },
      );
      const summaries = rows.map((row) => ({
        version: Number(row["version"]),
        name: row["name"] as string,
        note: row["note"] as string,
        createdAt: Number(row["created_at"]),
        createdBy: row["created_by"] as string,
        createdByName: row["created_by_name"] as string | null,
      }));
      return toResultPage(summaries, limit, ({ version }) => String(version));
    },

    /** The newest versions whose graphs have at most `maxCharacters` in total, oldest first. */
    async listNewestVersions(workflowId: string, maxCharacters: number): Promise<VersionRecord[]> {
      const rows = await db.query(
        `select * from (
           select v.*, sum(length(v.graph)) over (order by v.version desc) as characters
           from workflow_version as v where v.workflow_id = $workflowId and v.version > 0
         ) as history where characters <= $maxCharacters order by version`,
        { workflowId, maxCharacters },
      );
      return rows.map(toVersion);
    },

    /** How many of the workflow's newest `limit` runs used each version. */
    async countRuns(workflowId: string, ownerId: string, limit: number): Promise<Map<number, number>> {
      const rows = await db.query(
        `select workflow_version, count(*) as runs from
           (select workflow_version from task where owner_id = $ownerId and workflow_id = $workflowId
            order by id desc limit $limit) as newest
         group by workflow_version`,
        { workflowId, ownerId, limit },
      );
      return new Map(rows.map((row) => [Number(row["workflow_version"]), Number(row["runs"])]));
    },

    /** False when there is no such version. */
    async setVersionNote(workflowId: string, version: number, note: string): Promise<boolean> {
      const [changed] = await db.batch([
        {
          sql: `update workflow_version set note = $note
                where workflow_id = $workflowId and version = $version returning version`,
          params: { workflowId, version, note },
        },
      ]);
      return changed?.length === 1;
    },

    async findVersion(workflowId: string, version: number): Promise<VersionRecord | undefined> {
      const [row] = await db.query(
        "select * from workflow_version where workflow_id = $workflowId and version = $version",
        { workflowId, version },
      );
      return row === undefined ? undefined : toVersion(row);
    },
  };
}

/** Inserts only if the workflow reached this version: a rejected save leaves no history entry. */
export async function insertVersion({ metadata, ...rest }: VersionRecord): Promise<Statement> {
  return {
    sql: `insert into workflow_version (workflow_id, version, name, description, graph, note, created_at, created_by)
          select id, $version, $name, $description, $graph, $note, $createdAt, $createdBy
          from workflow where id = $workflowId and version >= $version on conflict do nothing`,
    params: { ...rest, graph: await serializeInTurns(metadata) },
  };
}

function toVersion(row: Row): VersionRecord {
  return {
    workflowId: row["workflow_id"] as string,
    version: Number(row["version"]),
    name: row["name"] as string,
    description: row["description"] as string,
    metadata: JSON.parse(row["graph"] as string) as LooseGraph,
    note: row["note"] as string,
    createdAt: Number(row["created_at"]),
    createdBy: row["created_by"] as string,
  };
}
