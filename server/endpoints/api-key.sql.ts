import type { PageQuery } from "../../contract/api.ts";
import { KEY_SCOPES, type KeyScope } from "../../contract/keys.ts";
import type { Role } from "../../contract/roles.ts";
import { type ResultPage, toResultPage } from "../lib/result-page.ts";
import type { Use } from "../lib/use-recorder.ts";
import type { Db, Row } from "../storage/db.ts";
import { throwNotFoundOrForbidden } from "../storage/ownership.ts";
import { AFTER_EVERY_ID } from "../storage/paging.ts";
import { recordUses } from "../storage/record-uses.ts";

interface Named {
  id: string;
  name: string | null;
}

export interface NewKey {
  id: string;
  ownerId: string;
  name: string;
  prefix: string;
  scopes: readonly KeyScope[];
  /** The only workflows whose endpoints it opens; null for all. */
  workflowIds: readonly string[] | null;
  /** The only addresses that may use it; null for all. */
  addresses: readonly string[] | null;
  /** Null when a key of a service account created it. */
  createdBy: string | null;
  serviceAccountId: string | null;
  createdAt: number;
  expiresAt: number | null;
}

export interface ApiKeyRecord extends Omit<NewKey, "createdBy" | "serviceAccountId"> {
  createdBy: Named | null;
  serviceAccount: Named | null;
  lastUsedAt: number | null;
  /** The address of the last caller; null for keys that were not used since it is recorded. */
  lastUsedFrom: string | null;
  revokedAt: number | null;
}

/** What a presented key allows. */
export interface KeyAccess {
  id: string;
  scopes: readonly KeyScope[];
  /** The current role of the person or the service account that it acts as. */
  role: Role;
  workflowIds: readonly string[] | null;
  addresses: readonly string[] | null;
}

export interface ActiveKey extends KeyAccess {
  ownerId: string;
  name: string;
  /** The person that it acts as; empty for a key of a service account. */
  userId: string;
  serviceAccount: { id: string; name: string } | undefined;
  expiresAt: number | null;
}

export type ApiKeyStore = ReturnType<typeof createApiKeyStore>;

const COLUMNS = `api_key.id, api_key.owner_id, api_key.name, prefix, scopes, workflow_ids, addresses, api_key.created_at, last_used_at,
  last_used_from, expires_at, revoked_at, api_key.created_by, service_account_id,
  (select coalesce(account.name, account.email) from account where account.id = api_key.created_by) as created_by_name,
  (select service_account.name from service_account where service_account.id = api_key.service_account_id) as service_account_name`;

/** Keys from before workspaces act as the person whose id the personal workspace has. */
const CREATOR = "coalesce(api_key.created_by, api_key.owner_id)";

/**
 * Null for a removed member or service account, whose keys open nothing, and while the account that created the key or that
 * the personal workspace belongs to is disabled.
 */
export const PRINCIPAL_ROLE = `case when exists (select 1 from account where disabled_at is not null and account.id in
    (api_key.owner_id, case when api_key.service_account_id is null then ${CREATOR} else api_key.owner_id end)) then null
  when api_key.service_account_id is null
  then (select member.role from member where member.workspace_id = api_key.owner_id and member.user_id = ${CREATOR})
  else (select service_account.role from service_account
        where service_account.id = api_key.service_account_id and service_account.owner_id = api_key.owner_id) end`;

export function createApiKeyStore(db: Db) {
  /** A key of a workspace that is being deleted is not active, nor one of a removed member or service account. */
  async function findActiveBy(
    column: "hash" | "api_key.id",
    value: string,
    now: number,
  ): Promise<ActiveKey | undefined> {
    const [row] = await db.query(
      `select ${COLUMNS}, ${CREATOR} as creator, ${PRINCIPAL_ROLE} as role
       from api_key join workspace on workspace.id = api_key.owner_id
       where ${column} = $value and revoked_at is null and (expires_at is null or expires_at > $now) and workspace.deleted_at is null`,
      { value, now },
    );
    if (row === undefined || row["role"] === null) return undefined;
    const serviceAccount = namedOrNull(row["service_account_id"], row["service_account_name"]);
    return {
      ...toKeyAccess([row["id"], row["role"], row["scopes"], row["addresses"], row["workflow_ids"]]),
      ownerId: row["owner_id"] as string,
      name: row["name"] as string,
      userId: serviceAccount === null ? (row["creator"] as string) : "",
      serviceAccount: serviceAccount === null ? undefined : (serviceAccount as { id: string; name: string }),
      expiresAt: numberOrNull(row["expires_at"]),
    };
  }

  return {
    /** Undefined when the workspace has `max` keys that are not revoked. */
    async insert(key: NewKey, hash: string, max: number): Promise<ApiKeyRecord | undefined> {
      const [inserted] = await db.batch([
        {
          sql: `insert into api_key (id, owner_id, name, prefix, scopes, workflow_ids, addresses, created_by, service_account_id,
                  created_at, expires_at, hash)
                select cast($id as text), cast($ownerId as text), cast($name as text), cast($prefix as text), cast($scopes as text),
                  cast($workflowIds as text), cast($addresses as text), cast($createdBy as text), cast($serviceAccountId as text),
                  cast($createdAt as bigint), cast($expiresAt as bigint), cast($hash as text)
                where (select count(*) from api_key where owner_id = $ownerId and revoked_at is null) < cast($max as bigint)
                returning ${COLUMNS}`,
          params: {
            ...key,
            scopes: JSON.stringify(key.scopes),
            workflowIds: key.workflowIds && JSON.stringify(key.workflowIds),
            addresses: key.addresses && JSON.stringify(key.addresses),
            hash,
            max,
          },
        },
      ]);
      const row = inserted?.[0];
      return row && toKey(row);
    },

    async list(
      ownerId: string,
      { limit, cursor, serviceAccountId }: PageQuery & { serviceAccountId?: string | undefined },
    ): Promise<ResultPage<ApiKeyRecord>> {
      const rows = await db.query(
        `select ${COLUMNS} from api_key where owner_id = $ownerId and id < $cursor
         and (cast($serviceAccountId as text) is null or service_account_id = $serviceAccountId)
         order by id desc limit $limit`,
        {
          ownerId,
          cursor: cursor ?? AFTER_EVERY_ID,
          limit: limit + 1,
          serviceAccountId: serviceAccountId ?? null,
        },
      );
      return toResultPage(rows.map(toKey), limit, (key) => key.id);
    },

    /** Throws `api_key_not_found` or `forbidden`. Revoking again keeps the first time. */
    async revoke(id: string, ownerId: string, now: number): Promise<ApiKeyRecord> {
      const [revoked] = await db.batch([
        {
          sql: `update api_key set revoked_at = coalesce(revoked_at, $now)
                where id = $id and owner_id = $ownerId returning ${COLUMNS}`,
          params: { id, ownerId, now },
        },
      ]);
      const row = revoked?.[0];
      return row === undefined ? throwNotFoundOrForbidden(db, "api_key", "api_key", id) : toKey(row);
    },

    /** Throws `workflow_not_found` or `forbidden` for the first workflow that the workspace does not have. */
    async assertWorkflows(ownerId: string, workflowIds: readonly string[]): Promise<void> {
      const rows = await db.query(
        `select id from workflow where owner_id = $ownerId and deleted_at is null
         and id in (select value from json_each(cast($ids as text)))`,
        { ownerId, ids: JSON.stringify(workflowIds) },
      );
      const found = new Set(rows.map((row) => row["id"]));
      const missing = workflowIds.find((id) => !found.has(id));
      if (missing !== undefined) await throwNotFoundOrForbidden(db, "workflow", "workflow", missing);
    },

    /** Throws `service_account_not_found` or `forbidden`. */
    async assertServiceAccount(ownerId: string, id: string): Promise<void> {
      const [row] = await db.query("select id from service_account where id = $id and owner_id = $ownerId", {
        id,
        ownerId,
      });
      if (row === undefined) await throwNotFoundOrForbidden(db, "service_account", "service_account", id);
    },

    findActive: (hash: string, now: number) => findActiveBy("hash", hash, now),
    findActiveById: (id: string, now: number) => findActiveBy("api_key.id", id, now),

    recordUses: (uses: ReadonlyMap<string, Use>) => recordUses(db, "api_key", uses),
  };
}

function toKey(row: Row): ApiKeyRecord {
  return {
    id: row["id"] as string,
    ownerId: row["owner_id"] as string,
    name: row["name"] as string,
    prefix: row["prefix"] as string,
    scopes: toScopes(row["scopes"], KEY_SCOPES),
    workflowIds: listOrNull(row["workflow_ids"]),
    addresses: listOrNull(row["addresses"]),
    createdBy: namedOrNull(row["created_by"], row["created_by_name"]),
    serviceAccount: namedOrNull(row["service_account_id"], row["service_account_name"]),
    createdAt: Number(row["created_at"]),
    lastUsedAt: numberOrNull(row["last_used_at"]),
    lastUsedFrom: (row["last_used_from"] ?? null) as string | null,
    expiresAt: numberOrNull(row["expires_at"]),
    revokedAt: numberOrNull(row["revoked_at"]),
  };
}

/** From the columns id, role, scopes, addresses and workflow ids. */
export function toKeyAccess([id, role, scopes, addresses, workflowIds]: readonly unknown[]): KeyAccess {
  return {
    id: id as string,
    role: role as Role,
    scopes: toScopes(scopes, KEY_SCOPES),
    addresses: listOrNull(addresses),
    workflowIds: listOrNull(workflowIds),
  };
}

/** A scope that a newer version stored opens nothing here. */
export function toScopes<T extends KeyScope>(stored: unknown, known: readonly T[]): T[] {
  const scopes = JSON.parse(stored as string) as readonly unknown[];
  return known.filter((scope) => scopes.includes(scope));
}

/** An empty text is a null that was concatenated. */
function listOrNull(stored: unknown): string[] | null {
  return stored === null || stored === "" ? null : (JSON.parse(stored as string) as string[]);
}

function namedOrNull(id: unknown, name: unknown): Named | null {
  return id === null ? null : { id: id as string, name: (name ?? null) as string | null };
}

function numberOrNull(value: unknown): number | null {
  return value === null ? null : Number(value);
}
