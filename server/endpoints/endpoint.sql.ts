import type { Graph } from "../../contract/graph.ts";
import type { RunnableWorkflow } from "../engine/engine-api.ts";
import { notFound } from "../lib/errors.ts";
import { gather } from "../lib/gather.ts";
import { isId } from "../lib/ids.ts";
import { createSizedCache } from "../lib/sized-cache.ts";
import type { EndpointStore, PresentedKey } from "./endpoint.ts";
import type { Db, Row } from "../storage/db.ts";

const COLUMNS = "id, owner_id, name, version, api_enabled, api_authentication, api_sync, response_step_id";
/** One round trip decides who may call what: this is asked at every call. */
const WITH_KEY = `select ${COLUMNS}, deleted_at,
  (select api_key.id from api_key where api_key.owner_id = workflow.owner_id and hash = $2 and revoked_at is null
     and (expires_at is null or expires_at > $3)) as key_id
  from workflow`;
/** Bounds the cache of workflow versions by the length of their JSON. The compiled graphs live as long as the parsed ones. */
const MAX_CACHED_CHARACTERS = 32_000_000;

interface CachedVersion {
  graph: Graph;
  workflow: RunnableWorkflow | undefined;
}

export function createEndpointStore(db: Db): EndpointStore {
  /** A version never changes, so an entry never becomes stale, and all runs of a version share one parsed graph. */
  const versions = createSizedCache<CachedVersion>(MAX_CACHED_CHARACTERS);

  async function versionOf(workflowId: string, version: number): Promise<CachedVersion> {
    const key = `${workflowId}@${version}`;
    const cached = versions.get(key);
    if (cached !== undefined) return cached;
    const [row] = await db.query<{ graph: string }>(
      "select graph from workflow_version where workflow_id = $workflowId and version = $version",
      { workflowId, version },
    );
    if (row === undefined) throw notFound("version");
    // Validated when it was stored or, if it came with a template, before its first run.
    const loaded: CachedVersion = { graph: JSON.parse(row.graph) as Graph, workflow: undefined };
    // Two callers may load it at once: the second shares what the first has cached.
    const first = versions.get(key);
    if (first === undefined) versions.set(key, loaded, row.graph.length);
    return first ?? loaded;
  }

  async function runnableOf(row: Row, version = Number(row["version"])): Promise<RunnableWorkflow> {
    const id = row["id"] as string;
    return {
      id,
      ownerId: row["owner_id"] as string,
      name: row["name"] as string,
      version,
      graph: (await versionOf(id, version)).graph,
      responseStepId: (row["response_step_id"] as string | null) ?? undefined,
    };
  }

  async function atVersion(workflowId: string, version: number): Promise<RunnableWorkflow> {
    const [row] = await db.query(`select ${COLUMNS} from workflow where id = $workflowId`, { workflowId });
    if (row === undefined) throw notFound("workflow");
    return runnableOf(row, version);
  }

  async function findOne({ idOrSlug, key }: { idOrSlug: string; key: PresentedKey | undefined }) {
    const presented = [key?.hash ?? null, key?.at ?? 0];
    // An id always means its workflow, also when that is switched off: nobody takes over its calls by
    // naming his endpoint like it.
    const [byId] = isId("wf", idOrSlug)
      ? await db.query(`${WITH_KEY} where id = $1`, [idOrSlug, ...presented])
      : [];
    const [row] =
      byId === undefined
        ? await db.query(`${WITH_KEY} where endpoint_slug = $1 and api_enabled = 1 and deleted_at is null`, [
            idOrSlug.toLowerCase(),
            ...presented,
          ])
        : [byId];
    if (row === undefined || Number(row["api_enabled"]) !== 1 || (row["deleted_at"] ?? null) !== null) {
      return undefined;
    }
    return {
      workflow: await runnableOf(row),
      authentication: Number(row["api_authentication"]) === 1,
      sync: Number(row["api_sync"]) === 1,
      keyId: (row["key_id"] as string | null) ?? undefined,
    };
  }

  // One question a turn for all who call the same endpoint with the same key.
  const find = gather(
    (calls: readonly Parameters<typeof findOne>[0][]) => calls.map(findOne),
    ({ idOrSlug, key }) => `${key?.hash} ${idOrSlug}`,
  );

  return {
    find: (idOrSlug, key) => find({ idOrSlug, key }),

    async settings(workflowId) {
      const [row] = await db.query(
        "select api_enabled, api_authentication from workflow where id = $1 and deleted_at is null",
        [workflowId],
      );
      return row === undefined
        ? undefined
        : {
            enabled: Number(row["api_enabled"]) === 1,
            authentication: Number(row["api_authentication"]) === 1,
          };
    },

    async runnable(workflowId, ownerId) {
      const [row] = await db.query(
        `select ${COLUMNS} from workflow where id = $1 and owner_id = $2 and deleted_at is null`,
        [workflowId, ownerId],
      );
      return row === undefined ? undefined : runnableOf(row);
    },

    atVersion,

    async cachedVersion(workflowId, version) {
      const cached = await versionOf(workflowId, version);
      cached.workflow ??= await atVersion(workflowId, version);
      return cached.workflow;
    },
  };
}
