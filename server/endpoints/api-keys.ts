import type * as z from "zod";
import type { PageQuery } from "../../contract/api.ts";
import { type ApiKey, type createKeySchema, KEY_SCOPES, type KeyScope } from "../../contract/keys.ts";
import { type Actor, includesScope, type ManagementScope } from "../../contract/roles.ts";
import type { CredentialWatch } from "../accounts/credential-watch.ts";
import { type Clock, toIso } from "../lib/clock.ts";
import { AppError, invalidRequest } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import type { ResultPage } from "../lib/result-page.ts";
import { createUseRecorder } from "../lib/use-recorder.ts";
import { assertAddress } from "../security/allowed-addresses.ts";
import { createApiKey, hashKey, KEY_PREFIX } from "../security/api-keys.ts";
import type { ActiveKey, ApiKeyRecord, ApiKeyStore } from "./api-key.sql.ts";
import type { PresentedKey } from "./endpoint.sql.ts";

/** Per workspace, without revoked ones. */
const MAX_KEYS = 1000;
const DEFAULT_SCOPES: readonly KeyScope[] = ["endpoints"];

export interface ApiKeysDeps {
  store: ApiKeyStore;
  clock: Clock;
  credentials: Pick<CredentialWatch, "watch" | "changed">;
  /** Called when the last uses could not be written; the next flush retries them. */
  onFlushError?: (error: unknown) => void;
}

/** Who creates a key. */
export interface KeyCreator {
  /** Empty for a key of a service account. */
  userId: string;
  /** The key that the request came with. */
  apiKey: UsedKey | null;
}

type UsedKey = Pick<ActiveKey, "scopes" | "addresses" | "expiresAt"> & { actor: Actor };

export type ApiKeys = ReturnType<typeof createApiKeys>;

export function createApiKeys({ store, clock, credentials, onFlushError }: ApiKeysDeps) {
  const uses = createUseRecorder({ write: store.recordUses, clock, onError: onFlushError });

  /** Reads the store on every call: a revoked key fails from the next request on, in every process. */
  const find = (rawKey: string): Promise<ActiveKey | undefined> =>
    store.findActive(hashKey(rawKey), clock.now());

  async function requireActive(rawKey: string): Promise<ActiveKey> {
    const key = await find(rawKey);
    if (key !== undefined) return key;
    throw new AppError("invalid_token", "The API key is unknown, expired or revoked. Use another one.");
  }

  /** With its last use, also one that is not written yet. */
  function withLastUse(key: ApiKeyRecord): ApiKeyRecord {
    const use = uses.pendingUseOf(key.id);
    return use === undefined ? key : { ...key, lastUsedAt: use.at, lastUsedFrom: use.address ?? null };
  }

  return {
    async create(
      ownerId: string,
      given: NonNullable<z.input<typeof createKeySchema>>,
      { userId, apiKey: used }: KeyCreator,
    ): Promise<{ apiKey: ApiKeyRecord; rawKey: string }> {
      const now = clock.now();
      const wanted = given.scopes ?? DEFAULT_SCOPES;
      const scopes = KEY_SCOPES.filter((scope) => wanted.includes(scope));
      const expiresAt = typeof given.expiresAt === "string" ? Date.parse(given.expiresAt) : null;
      if (expiresAt !== null && expiresAt <= now) throw invalidField("expiresAt", "must be in the future");
      const workflowIds = given.workflowIds ?? null;
      if (workflowIds !== null) {
        if (scopes.some((scope) => scope !== "endpoints"))
          throw invalidField("workflowIds", "needs `endpoints` as the only scope");
        await store.assertWorkflows(ownerId, workflowIds);
      }
      if (used !== null) assertNoMore(used, scopes);
      const serviceAccountId =
        given.serviceAccountId ?? (used?.actor.kind === "service_account" ? used.actor.id : null);
      if (serviceAccountId !== null) await store.assertServiceAccount(ownerId, serviceAccountId);
      const { rawKey, hash, prefix } = createApiKey();
      const apiKey = await store.insert(
        {
          id: createId("key", now),
          ownerId,
          name: given.name ?? "API key",
          prefix,
          scopes,
          workflowIds,
          addresses: given.addresses ?? null,
          createdBy: userId === "" ? null : userId,
          serviceAccountId,
          createdAt: now,
          expiresAt,
        },
        hash,
        MAX_KEYS,
      );
      if (apiKey === undefined)
        throw new AppError(
          "limit_reached",
          `A workspace has at most ${MAX_KEYS} API keys. Revoke those that are no longer used.`,
        );
      return { apiKey, rawKey };
    },

    async list(
      ownerId: string,
      query: PageQuery & { serviceAccountId?: string | undefined },
    ): Promise<ResultPage<ApiKeyRecord>> {
      const { items, nextCursor } = await store.list(ownerId, query);
      return { items: items.map(withLastUse), nextCursor };
    },

    async revoke(ownerId: string, id: string): Promise<ApiKeyRecord> {
      const key = await store.revoke(id, ownerId, clock.now());
      credentials.changed(ownerId);
      return withLastUse(key);
    },

    /** The key as `EndpointStore.find` takes it. Lookup by hash leaks nothing about the raw key through its timing. */
    toPresented: (rawKey: string): PresentedKey => ({ hash: hashKey(rawKey), at: clock.now() }),

    find,

    findById: (id: string): Promise<ActiveKey | undefined> => store.findActiveById(id, clock.now()),

    accepts: (token: string): boolean => token.startsWith(KEY_PREFIX),

    /** For the routes that manage records. Throws `invalid_token` or `address_not_allowed`. */
    async authenticate(rawKey: string, address: string): Promise<ActiveKey & { actor: Actor }> {
      const key = await requireActive(rawKey);
      assertAddress(key.addresses, address);
      uses.record(key.id, address);
      const { id, name, serviceAccount } = key;
      return {
        ...key,
        actor: serviceAccount ? { kind: "service_account", ...serviceAccount } : { kind: "key", id, name },
      };
    },

    /** Calls `onEnd` one time when the key allows nothing any more or acts with another role, for responses that outlive a request. */
    watch(
      rawKey: string,
      { ownerId, userId, role }: Pick<ActiveKey, "ownerId" | "userId" | "role">,
      onEnd: () => void,
    ): () => void {
      return credentials.watch({
        subjects: [ownerId, userId],
        check: async () => {
          if ((await requireActive(rawKey)).role !== role)
            throw new AppError("forbidden", "The role of this API key has changed.");
        },
        onEnd,
      });
    },

    recordUse: uses.record,

    close: uses.close,
  };
}

/** A key must not create one that opens more than itself. */
function assertNoMore(used: UsedKey, scopes: readonly KeyScope[]): void {
  if (used.addresses !== null || used.expiresAt !== null)
    throw new AppError(
      "forbidden",
      "An API key that expires or is limited to addresses cannot create keys. Log in to create one.",
    );
  const missing = scopes.find(
    (scope) => !used.scopes.includes(scope) && !includesScope(used.scopes, scope as ManagementScope),
  );
  if (missing !== undefined)
    throw new AppError(
      "insufficient_scope",
      `An API key creates only keys with its own scopes, and this one lacks \`${missing}\`. Log in to create the key.`,
    );
}

function invalidField(path: string, message: string): AppError {
  return invalidRequest(`${path} ${message}.`, [{ path, message }]);
}

export function toApiKey(record: ApiKeyRecord): ApiKey {
  const { id, name, prefix, scopes, workflowIds, addresses, createdBy, serviceAccount } = record;
  const { createdAt, lastUsedAt, lastUsedFrom, expiresAt, revokedAt } = record;
  return {
    id,
    name,
    prefix,
    scopes: [...scopes],
    workflowIds: workflowIds && [...workflowIds],
    addresses: addresses && [...addresses],
    createdBy,
    serviceAccount,
    createdAt: toIso(createdAt),
    lastUsedAt: isoOrNull(lastUsedAt),
    lastUsedFrom,
    expiresAt: isoOrNull(expiresAt),
    revokedAt: isoOrNull(revokedAt),
  };
}

function isoOrNull(timestampMs: number | null): string | null {
  return timestampMs === null ? null : toIso(timestampMs);
}
