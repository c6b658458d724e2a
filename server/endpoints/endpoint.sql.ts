import type { Graph } from "../../contract/graph.ts";
import type { RunnableWorkflow } from "../engine/engine-api.ts";
import { notFound } from "../lib/errors.ts";
import { gather } from "../lib/gather.ts";
import { isId } from "../lib/ids.ts";
import type { EndpointStore, PresentedKey } from "./endpoint.ts";
import type { Db, Row } from "../storage/db.ts";

const COLUMNS = "id, owner_id, name, version, api_enabled, api_authentication, api_sync, response_step_id";
/** One round trip decides who may call what: this is asked at every call. */
const WITH_KEY = `select ${COLUMNS}, deleted_at,
  (select api_key.id from api_key where api_key.owner_id = workflow.owner_id and hash = $2 and revoked_at is null
     and (expires_at is null or expires_at > $3)) as key_id
  from workflow`;
const CACHED_CHARACTERS = 32_000_000;

export function createEndpointStore(db: Db): EndpointStore {
  const graphOf = createGraphCache(db);

  async function runnableOf(row: Row, version = Number(row["version"])): Promise<RunnableWorkflow> {
    const id = row["id"] as string;
    return {
      id,
      ownerId: row["owner_id"] as string,
      name: row["name"] as string,
      version,
      graph: await graphOf(id, version),
      responseStepId: (row["response_step_id"] as string | null) ?? undefined,
    };
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

    async atVersion(workflowId, version) {
      const [row] = await db.query(`select ${COLUMNS} from workflow where id = $1`, [workflowId]);
      if (row === undefined) throw notFound("workflow");
      return runnableOf(row, version);
    },
  };
}

/**
 * Graphs by workflow and version. A version never changes, so nothing here grows stale, and every call of a
 * version shares one object: it is parsed once, and whoever compiles it can do that once too. Bounded by the
 * size of the texts; the least recently used go first.
 */
function createGraphCache(db: Db) {
  const cache = new Map<string, { graph: Graph; characters: number }>();
  let characters = 0;

  return async (workflowId: string, version: number): Promise<Graph> => {
    const key = `${workflowId} ${version}`;
    const known = cache.get(key);
    if (known !== undefined) {
      cache.delete(key);
      cache.set(key, known);
      return known.graph;
    }
    const [row] = await db.query<{ graph: string }>(
      "select graph from workflow_version where workflow_id = $1 and version = $2",
      [workflowId, version],
    );
    if (row === undefined) throw notFound("version");
    // Checked when it was stored or, if it came with a template, before its first run.
    const graph = JSON.parse(row.graph) as Graph;
    // Another caller may have read it in the meantime; his entry is replaced, not counted twice.
    characters += row.graph.length - (cache.get(key)?.characters ?? 0);
    cache.set(key, { graph, characters: row.graph.length });
    for (const [oldest, entry] of cache) {
      if (characters <= CACHED_CHARACTERS || oldest === key) break;
      cache.delete(oldest);
      characters -= entry.characters;
    }
    return graph;
  };
}
