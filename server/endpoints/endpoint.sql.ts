import type { FormSettings } from "../../contract/forms.ts";
import type { RunnableWorkflow } from "../engine/engine-api.ts";
import { batchReads } from "../lib/batch-reads.ts";
import { isId } from "../lib/ids.ts";
import type { Db } from "../storage/db.ts";
import { RUNNABLE_COLUMNS, type RunnableWorkflows } from "../workflows/runnable-workflow.sql.ts";
import { formOf } from "../workflows/workflow-rows.sql.ts";
import { type KeyAccess, PRINCIPAL_ROLE, toKeyAccess } from "./api-key.sql.ts";

/** A workflow's public endpoint, as one call resolves it. */
export interface Endpoint {
  workflow: RunnableWorkflow;
  /** Whether a call needs an API key. A form has its own setting, or that of the endpoint. */
  authentication: boolean;
  sync: boolean;
  customResponse: boolean;
  /** False while the workflow is paused. */
  isActive: boolean;
  /** The owner's active API key that the caller presented; undefined when it is not one. */
  key: KeyAccess | undefined;
  form?: FormSettings | undefined;
}

/** An endpoint and a form of one workflow share its slug and are enabled separately. */
export type EndpointKind = "api" | "form";

export interface PresentedKey {
  hash: string;
  /** Time of the call: an expired key is not active. */
  at: number;
}

interface Lookup {
  kind: EndpointKind;
  idOrSlug: string;
  key: PresentedKey | undefined;
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
  "form_enabled",
  "form_settings",
  "active",
  "deleted_at",
];
/** Endpoint and API key in one round trip: every public call runs this query. */
const SELECT_WITH_KEY = `select ${COLUMNS.join(", ")},
  (select api_key.id || ' ' || ${PRINCIPAL_ROLE} || ' ' || scopes || ' ' || coalesce(addresses, '') || ' ' || coalesce(workflow_ids, '')
   from api_key where api_key.owner_id = workflow.owner_id and hash = $keyHash and revoked_at is null
     and (expires_at is null or expires_at > $at)) as presented_key
  from workflow`;

export function createEndpointStore(db: Db, { toRunnable }: Pick<RunnableWorkflows, "toRunnable">) {
  async function findOne({ kind, idOrSlug, key }: Lookup): Promise<Endpoint | undefined> {
    const isEnabled = `${kind}_enabled`;
    const keyParams = { keyHash: key?.hash ?? null, at: key?.at ?? 0 };
    // An id always resolves to its own workflow, even a disabled one: another user cannot take over its calls with a slug
    // that equals the id.
    const [byId] = isId("wf", idOrSlug)
      ? await db.query(`${SELECT_WITH_KEY} where id = $id`, { id: idOrSlug, ...keyParams })
      : [];
    const [row] =
      byId === undefined
        ? await db.query(
            `${SELECT_WITH_KEY} where endpoint_slug = $slug and ${isEnabled} = 1 and deleted_at is null`,
            { slug: idOrSlug.toLowerCase(), ...keyParams },
          )
        : [byId];
    if (row === undefined || Number(row[isEnabled]) !== 1 || (row["deleted_at"] ?? null) !== null) {
      return undefined;
    }
    const { form } = formOf(row);
    const ofEndpoint = Number(row["api_authentication"]) === 1;
    return {
      workflow: await toRunnable(row),
      authentication: kind === "form" ? (form?.authentication ?? ofEndpoint) : ofEndpoint,
      sync: Number(row["api_sync"]) === 1,
      customResponse: Number(row["api_custom_response"]) === 1,
      isActive: Number(row["active"]) === 1,
      key: toPresentedKey(row["presented_key"]),
      form,
    };
  }

  // One query per event loop turn for all calls of the same endpoint with the same key.
  const find = batchReads(
    (calls: readonly Lookup[]) => calls.map(findOne),
    ({ kind, idOrSlug, key }) => `${kind} ${key?.hash} ${idOrSlug}`,
  );

  return {
    /** By id, then by slug; undefined when there is no enabled endpoint. */
    find: (kind: EndpointKind, idOrSlug: string, key?: PresentedKey): Promise<Endpoint | undefined> =>
      find({ kind, idOrSlug, key }),

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

/** In one column: a second subquery would look the key up again. No value contains a space; null when there is no role. */
function toPresentedKey(columns: unknown): Endpoint["key"] {
  return typeof columns === "string" ? toKeyAccess(columns.split(" ")) : undefined;
}
