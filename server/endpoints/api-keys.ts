import type { PageQuery } from "../../contract/api.ts";
import { type AccessScope, ACCESS_SCOPES, type ApiKey } from "../../contract/keys.ts";
import { type Clock, toIso } from "../lib/clock.ts";
import { invalidRequest } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import type { Page } from "../lib/page.ts";
import { createUseRecorder } from "../lib/use-recorder.ts";
import { createApiKey, hashKey } from "../security/api-keys.ts";
import type { ActiveKey, ApiKeyRecord, ApiKeyStore } from "./api-key.sql.ts";
import type { PresentedKey } from "./endpoint.sql.ts";

const DEFAULT_SCOPES: readonly AccessScope[] = ["endpoints"];

export interface ApiKeysDeps {
  store: ApiKeyStore;
  clock: Clock;
  /** Called when the last uses could not be written; the next flush retries them. */
  onFlushError?: (error: unknown) => void;
}

export type ApiKeys = ReturnType<typeof createApiKeys>;

export function createApiKeys({ store, clock, onFlushError }: ApiKeysDeps) {
  const uses = createUseRecorder({ write: store.recordUses, clock, onError: onFlushError });

  return {
    async create(
      ownerId: string,
      given: {
        name?: string | undefined;
        expiresAt?: string | null | undefined;
        scopes?: readonly AccessScope[] | undefined;
      },
    ): Promise<{ apiKey: ApiKeyRecord; rawKey: string }> {
      const now = clock.now();
      const expiresAt = typeof given.expiresAt === "string" ? Date.parse(given.expiresAt) : null;
      if (expiresAt !== null && expiresAt <= now) {
        throw invalidRequest("expiresAt must be in the future.", [
          { path: "expiresAt", message: "must be in the future" },
        ]);
      }
      const { rawKey, hash, prefix } = createApiKey();
      const apiKey: ApiKeyRecord = {
        id: createId("key", now),
        ownerId,
        name: given.name ?? "API key",
        prefix,
        scopes: ACCESS_SCOPES.filter((scope) => (given.scopes ?? DEFAULT_SCOPES).includes(scope)),
        createdAt: now,
        lastUsedAt: null,
        expiresAt,
        revokedAt: null,
      };
      await store.insert(apiKey, hash);
      return { apiKey, rawKey };
    },

    async list(ownerId: string, page: PageQuery): Promise<Page<ApiKeyRecord>> {
      const { items, nextCursor } = await store.list(ownerId, page);
      return { items: items.map((key) => ({ ...key, lastUsedAt: uses.lastUseOf(key) })), nextCursor };
    },

    async revoke(ownerId: string, id: string): Promise<ApiKeyRecord> {
      const key = await store.revoke(id, ownerId, clock.now());
      return { ...key, lastUsedAt: uses.lastUseOf(key) };
    },

    /** The key as `EndpointStore.find` takes it. Lookup by hash leaks nothing about the raw key through its timing. */
    toPresented: (rawKey: string): PresentedKey => ({ hash: hashKey(rawKey), at: clock.now() }),

    /** Reads the store on every call: a revoked key fails from the next request on, in every process. */
    find: (rawKey: string): Promise<ActiveKey | undefined> => store.findActive(hashKey(rawKey), clock.now()),

    findById: (id: string): Promise<ActiveKey | undefined> => store.findActiveById(id, clock.now()),

    recordUse: uses.record,

    close: uses.close,
  };
}

export function toApiKey(record: ApiKeyRecord): ApiKey {
  const { id, name, prefix, scopes, createdAt, lastUsedAt, expiresAt, revokedAt } = record;
  return {
    id,
    name,
    prefix,
    scopes: [...scopes],
    createdAt: toIso(createdAt),
    lastUsedAt: isoOrNull(lastUsedAt),
    expiresAt: isoOrNull(expiresAt),
    revokedAt: isoOrNull(revokedAt),
  };
}

function isoOrNull(timestampMs: number | null): string | null {
  return timestampMs === null ? null : toIso(timestampMs);
}
