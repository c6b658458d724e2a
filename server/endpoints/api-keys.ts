import type { PageQuery } from "../../contract/api.ts";
import type { Clock } from "../lib/clock.ts";
import { invalidRequest } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import type { Page } from "../lib/page.ts";
import { createApiKey, hashKey } from "../security/api-keys.ts";
import type { ApiKeyRecord, ApiKeyStore } from "./api-key-store.ts";
import type { PresentedKey } from "./endpoint.ts";

const FLUSH_AFTER_MS = 5_000;

export interface ApiKeysDeps {
  store: ApiKeyStore;
  clock: Clock;
  /** Told when the last uses could not be written; they are tried again with the next ones. */
  onFlushError?: (error: unknown) => void;
}

export type ApiKeys = ReturnType<typeof createApiKeys>;

export function createApiKeys({ store, clock, onFlushError = () => {} }: ApiKeysDeps) {
  /** Key id → last use. A busy key is written once every few seconds, not once a call. */
  const uses = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  async function flushUses(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (uses.size === 0) return;
    const written = new Map(uses);
    try {
      await store.noteUses(written);
    } catch (error) {
      onFlushError(error);
      return;
    }
    for (const [id, usedAt] of written) if (uses.get(id) === usedAt) uses.delete(id);
  }

  return {
    async create(
      ownerId: string,
      given: { name?: string | undefined; expiresAt?: string | null | undefined },
    ): Promise<{ apiKey: ApiKeyRecord; rawKey: string }> {
      const now = clock.now();
      const expiresAt = typeof given.expiresAt === "string" ? Date.parse(given.expiresAt) : null;
      if (expiresAt !== null && expiresAt <= now) {
        throw invalidRequest("expiresAt must lie in the future.", [
          { path: "expiresAt", message: "must lie in the future" },
        ]);
      }
      const { rawKey, hash, prefix } = createApiKey();
      const apiKey: ApiKeyRecord = {
        id: createId("key", now),
        ownerId,
        name: given.name ?? "API key",
        prefix,
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
      return { items: items.map((key) => ({ ...key, lastUsedAt: lastUseOf(key) })), nextCursor };
    },

    async revoke(ownerId: string, id: string): Promise<ApiKeyRecord> {
      const key = await store.revoke(id, ownerId, clock.now());
      return { ...key, lastUsedAt: lastUseOf(key) };
    },

    /**
     * Asked of the store at every call, so a revoked key fails from the next request on, in every process.
     * The raw key is never compared: its hash is searched, which tells a timer nothing about it.
     */
    presented: (rawKey: string): PresentedKey => ({ hash: hashKey(rawKey), at: clock.now() }),

    async accepts(ownerId: string, rawKey: string): Promise<boolean> {
      const id = await store.activeId(ownerId, hashKey(rawKey), clock.now());
      if (id !== undefined) noteUse(id);
      return id !== undefined;
    },

    noteUse,

    flushUses,
    close: flushUses,
  };

  function noteUse(id: string): void {
    uses.set(id, clock.now());
    timer ??= setTimeout(() => void flushUses(), FLUSH_AFTER_MS).unref();
  }

  function lastUseOf(key: ApiKeyRecord): number | null {
    return uses.get(key.id) ?? key.lastUsedAt;
  }
}
