import type { RunnableWorkflow } from "../engine/engine-api.ts";
import { batchReads } from "../lib/batch-reads.ts";
import { isId } from "../lib/ids.ts";
import type { Db } from "../storage/db.ts";
import { RUNNABLE_COLUMNS, type RunnableWorkflows } from "../workflows/runnable-workflow.sql.ts";

/** A workflow's public endpoint, as one call resolves it. */
export interface Endpoint {
  workflow: RunnableWorkflow;
  authentication: boolean;
  sync: boolean;
  customResponse: boolean;
  /** The id of the owner's active API key that the caller presented; undefined when it is none. */
  keyId: string | undefined;
}

export interface PresentedKey {
  hash: string;
  /** Time of the call: an expired key is not active. */
  at: number;
}

export interface EndpointSettings {
  enabled: boolean;
  authentication: boolean;
}

export type EndpointStore = ReturnType<typeof createEndpointStore>;

const COLUMNS = [
  ...RUNNABLE_COLUMNS,
  "api_enabled",
  "api_authentication",
  "api_sync",
  "api_custom_response",
  "deleted_at",
];
/** Endpoint and API key in one round trip: every public call runs this query. */
const SELECT_WITH_KEY = `select ${COLUMNS.join(", ")},
  (select api_key.id from api_key where api_key.owner_id = workflow.owner_id and hash = $keyHash and revoked_at is null
     and (expires_at is null or expires_at > $at)) as key_id
  from workflow`;

export function createEndpointStore(db: Db, { toRunnable }: Pick<RunnableWorkflows, "toRunnable">) {
  async function findOne({ idOrSlug, key }: { idOrSlug: string; key: PresentedKey | undefined }) {
    const keyParams = { keyHash: key?.hash ?? null, at: key?.at ?? 0 };
    // An id always resolves to its own workflow, even a disabled one: another user cannot take over its calls with a slug
    // that equals the id.
    const [byId] = isId("wf", idOrSlug)
      ? await db.query(`${SELECT_WITH_KEY} where id = $id`, { id: idOrSlug, ...keyParams })
      : [];
    const [row] =
      byId === undefined
        ? await db.query(
            `${SELECT_WITH_KEY} where endpoint_slug = $slug and api_enabled = 1 and deleted_at is null`,
            { slug: idOrSlug.toLowerCase(), ...keyParams },
          )
        : [byId];
    if (row === undefined || Number(row["api_enabled"]) !== 1 || (row["deleted_at"] ?? null) !== null) {
      return undefined;
    }
    return {
      workflow: await toRunnable(row),
      authentication: Number(row["api_authentication"]) === 1,
      sync: Number(row["api_sync"]) === 1,
      customResponse: Number(row["api_custom_response"]) === 1,
      keyId: (row["key_id"] as string | null) ?? undefined,
    };
  }

  // One query per event loop turn for all calls of the same endpoint with the same key.
  const find = batchReads(
    (calls: readonly Parameters<typeof findOne>[0][]) => calls.map(findOne),
    ({ idOrSlug, key }) => `${key?.hash} ${idOrSlug}`,
  );

  return {
    /** By id, then by slug; undefined when there is no enabled endpoint. */
    find: (idOrSlug: string, key?: PresentedKey): Promise<Endpoint | undefined> => find({ idOrSlug, key }),

    /** Undefined when the workflow was deleted. */
    async findSettings(workflowId: string): Promise<EndpointSettings | undefined> {
      const [row] = await db.query(
        "select api_enabled, api_authentication from workflow where id = $workflowId and deleted_at is null",
        { workflowId },
      );
      return row === undefined
        ? undefined
        : {
            enabled: Number(row["api_enabled"]) === 1,
            authentication: Number(row["api_authentication"]) === 1,
          };
    },
  };
}
