import type { Graph } from "../../contract/graph.ts";
import type { RunnableWorkflow } from "../engine/engine-api.ts";
import { batchReads } from "../lib/batch-reads.ts";
import { notFound } from "../lib/errors.ts";
import { createSizedCache } from "../lib/sized-cache.ts";
import type { Db, Row } from "../storage/db.ts";
import { settingsOf } from "./workflow-rows.sql.ts";

/** The columns that `toRunnable` reads. */
export const RUNNABLE_COLUMNS = ["id", "owner_id", "name", "version", "response_step_id", "settings"];
const COLUMNS = RUNNABLE_COLUMNS.join(", ");
/**
 * Bounds the cache by the length of the graphs' JSON. Compiled graphs live as long as the parsed ones: together they take
 * 5 to 27 bytes per character, so the cache takes 160 MB at most.
 */
const MAX_CACHED_CHARACTERS = 6_000_000;

interface CachedVersion {
  graph: Graph;
  workflow: RunnableWorkflow | undefined;
}

/** Read for each run: a pause takes effect at once, in every process. */
export interface CurrentWorkflow extends RunnableWorkflow {
  /** False while it is paused. */
  isActive: boolean;
}

interface CurrentKey {
  workflowId: string;
  ownerId: string;
}

export type RunnableWorkflows = ReturnType<typeof createRunnableWorkflows>;

/** Loads workflow versions for the engine. All runs of a version share one parsed graph. */
export function createRunnableWorkflows(db: Db) {
  /** A version never changes, so an entry never becomes stale. */
  const versions = createSizedCache<CachedVersion>(MAX_CACHED_CHARACTERS);

  async function loadVersion(workflowId: string, version: number): Promise<CachedVersion> {
    const key = `${workflowId}@${version}`;
    const cached = versions.get(key);
    if (cached !== undefined) return cached;
    const [row] = await db.query<{ graph: string }>(
      "select graph from workflow_version where workflow_id = $workflowId and version = $version",
      { workflowId, version },
    );
    if (row === undefined) throw notFound("version", String(version));
    // Trusted: validated when it was stored or, for a version imported with a template, before its first run.
    const loaded: CachedVersion = { graph: JSON.parse(row.graph) as Graph, workflow: undefined };
    // Two callers may load a version at once: the second one shares the entry of the first.
    const first = versions.get(key);
    if (first === undefined) versions.set(key, loaded, row.graph.length);
    return first ?? loaded;
  }

  async function toRunnable(row: Row, version = Number(row["version"])): Promise<RunnableWorkflow> {
    const id = row["id"] as string;
    return {
      id,
      ownerId: row["owner_id"] as string,
      name: row["name"] as string,
      version,
      graph: (await loadVersion(id, version)).graph,
      responseStepId: (row["response_step_id"] as string | null) ?? undefined,
      ...settingsOf(row),
    };
  }

  /** Includes deleted workflows: their unfinished tasks still run. */
  async function getVersion(workflowId: string, version: number): Promise<RunnableWorkflow> {
    const [row] = await db.query(`select ${COLUMNS} from workflow where id = $workflowId`, { workflowId });
    if (row === undefined) throw notFound("workflow", workflowId);
    return toRunnable(row, version);
  }

  async function readCurrent({ workflowId, ownerId }: CurrentKey): Promise<CurrentWorkflow | undefined> {
    const [row] = await db.query(
      `select ${COLUMNS}, active from workflow where id = $workflowId and owner_id = $ownerId and deleted_at is null`,
      { workflowId, ownerId },
    );
    return row === undefined
      ? undefined
      : { ...(await toRunnable(row)), isActive: Number(row["active"]) === 1 };
  }

  // One query per event loop turn for all calls that start the same workflow.
  const findCurrent = batchReads(
    (keys: readonly CurrentKey[]) => keys.map(readCurrent),
    ({ workflowId, ownerId }) => `${ownerId} ${workflowId}`,
  );

  return {
    toRunnable,
    getVersion,

    /** Like `findCurrent`, for a read that its callers share already. */
    readCurrent,

    /** Like `getVersion`, without a query after the first load; name and response step stay those of that load. */
    async getCachedVersion(workflowId: string, version: number): Promise<RunnableWorkflow> {
      const cached = await loadVersion(workflowId, version);
      cached.workflow ??= await getVersion(workflowId, version);
      return cached.workflow;
    },

    /** The newest version of the owner's workflow; undefined when it does not exist or was deleted. */
    findCurrent: (workflowId: string, ownerId: string): Promise<CurrentWorkflow | undefined> =>
      findCurrent({ workflowId, ownerId }),
  };
}
