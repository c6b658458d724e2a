import type { Db, Row } from "../storage/db.ts";

export interface NamedRecord {
  id: string;
  name: string;
  /** Further text by which people look for it. */
  detail: string;
  tags: string[];
}

export interface FoundRun {
  id: string;
  workflowId: string;
  workflowName: string | null;
  status: string;
  createdAt: number;
  /** The beginning of its error, as JSON. */
  error: string;
  /** The beginning of its input, as JSON. */
  input: string;
}

export interface FoundWorkflow {
  id: string;
  name: string;
  folder: string;
}

export type SearchStore = ReturnType<typeof createSearchStore>;

/** Per kind and owner; the newest. */
const MAX_RECORDS = 10_000;
/** An index entry each: 20,000 take about 3 ms. */
const RUNS_BY_ID = 20_000;
const FAILED_RUNS = 1000;
const RUNS_WITH_INPUT = 500;
const EXCERPT_CHARACTERS = 1000;

const RUN_COLUMNS = `t.id, t.workflow_id, t.status, t.created_at, w.name as workflow_name,
  substr(t.error, 1, ${EXCERPT_CHARACTERS}) as error, substr(t.input, 1, ${EXCERPT_CHARACTERS}) as input`;
const RUNS = "task as t left join workflow as w on w.id = t.workflow_id";
/** Hides the tasks of sessions and ingestion, and runs that another run has started. */
const IS_RUN = "t.id > 'task_'";

export function createSearchStore(db: Db) {
  const runs = async (sql: string, params: Record<string, string | number>): Promise<FoundRun[]> =>
    (await db.query(`select ${RUN_COLUMNS} from ${RUNS} where t.owner_id = $ownerId and ${sql}`, params)).map(
      toRun,
    );

  async function named(sql: string, ownerId: string): Promise<NamedRecord[]> {
    const rows = await db.query(`${sql} order by id desc limit ${MAX_RECORDS}`, { ownerId });
    return rows.map(toNamed);
  }

  return {
    /** Those of the ids that exist, in no order. */
    async workflows(ownerId: string, ids: readonly string[]): Promise<Map<string, FoundWorkflow>> {
      const rows = await db.query(
        `select id, name, folder from workflow where owner_id = $ownerId and deleted_at is null
           and id in (select value from json_each(cast($ids as text)))`,
        { ownerId, ids: JSON.stringify(ids) },
      );
      return new Map(
        rows.map((row) => [
          row["id"] as string,
          { id: row["id"] as string, name: row["name"] as string, folder: row["folder"] as string },
        ]),
      );
    },

    documents: (ownerId: string) =>
      named(
        "select id, title as name, '' as detail, metadata as tags from document where owner_id = $ownerId and status <> 'deleting'",
        ownerId,
      ),
    agents: (ownerId: string) =>
      named(
        "select id, name, description || ' ' || role as detail, null as tags from agent where owner_id = $ownerId",
        ownerId,
      ),
    teams: (ownerId: string) =>
      named(
        "select id, name, description as detail, null as tags from team where owner_id = $ownerId",
        ownerId,
      ),
    connections: (ownerId: string) =>
      named(
        "select id, name, coalesce(app, '') || ' ' || kind as detail, null as tags from connection where owner_id = $ownerId",
        ownerId,
      ),

    /** Runs whose id begins with this text. */
    runsFrom: (ownerId: string, start: string, limit: number) =>
      runs("t.id >= $start and t.id < $end order by t.id desc limit $limit", {
        ownerId,
        start,
        // Sorts after every id that begins so.
        end: `${start}~`,
        limit,
      }),

    /** The newest runs whose id ends with this text: the page shows the end of an id. */
    runsUntil: (ownerId: string, end: string, limit: number) =>
      runs(
        `t.id in (select id from (select id from task where owner_id = $ownerId and id > 'task_'
             order by id desc limit ${RUNS_BY_ID}) as newest
           where substr(id, length(id) - length($end) + 1) = $end order by id desc limit $limit)
         order by t.id desc`,
        { ownerId, end, limit },
      ),

    newestFailed: (ownerId: string) =>
      runs(
        `${IS_RUN} and t.status = 'failed' and t.status <> 'completed' order by t.id desc limit ${FAILED_RUNS}`,
        { ownerId },
      ),

    newest: (ownerId: string) => runs(`${IS_RUN} order by t.id desc limit ${RUNS_WITH_INPUT}`, { ownerId }),

    newestOf: (ownerId: string, workflowId: string, limit: number) =>
      runs("t.workflow_id = $workflowId order by t.id desc limit $limit", { ownerId, workflowId, limit }),
  };
}

function toRun(row: Row): FoundRun {
  return {
    id: row["id"] as string,
    workflowId: row["workflow_id"] as string,
    workflowName: row["workflow_name"] as string | null,
    status: row["status"] as string,
    createdAt: Number(row["created_at"]),
    error: (row["error"] as string | null) ?? "",
    input: row["input"] as string,
  };
}

function toNamed(row: Row): NamedRecord {
  return {
    id: row["id"] as string,
    name: row["name"] as string,
    detail: row["detail"] as string,
    tags: row["tags"] === null ? [] : tagsOf(row["tags"] as string),
  };
}

/** The tags in the metadata of a document. */
function tagsOf(metadata: string): string[] {
  const { tags } = JSON.parse(metadata) as { tags?: string[] };
  return tags ?? [];
}
