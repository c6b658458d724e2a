import type { PageQuery } from "../../contract/api.ts";
import type { ApiKey } from "../../contract/keys.ts";
import { toIso } from "../lib/clock.ts";
import type { Page } from "../lib/page.ts";

export interface ApiKeyRecord {
  id: string;
  ownerId: string;
  name: string;
  prefix: string;
  createdAt: number;
  lastUsedAt: number | null;
  expiresAt: number | null;
  revokedAt: number | null;
}

export interface ApiKeyStore {
  insert(key: ApiKeyRecord, hash: string): Promise<void>;
  list(ownerId: string, page: PageQuery): Promise<Page<ApiKeyRecord>>;
  /** Throws `api_key_not_found` or `forbidden`; a key that is revoked already keeps its time. */
  revoke(id: string, ownerId: string, now: number): Promise<ApiKeyRecord>;
  /** The id of the owner's active key with this hash: the one question of a public call. */
  activeId(ownerId: string, hash: string, now: number): Promise<string | undefined>;
  noteUses(lastUsedAt: ReadonlyMap<string, number>): Promise<void>;
}

export function toApiKey(record: ApiKeyRecord): ApiKey {
  const { id, name, prefix, createdAt, lastUsedAt, expiresAt, revokedAt } = record;
  return {
    id,
    name,
    prefix,
    createdAt: toIso(createdAt),
    lastUsedAt: isoOrNull(lastUsedAt),
    expiresAt: isoOrNull(expiresAt),
    revokedAt: isoOrNull(revokedAt),
  };
}

function isoOrNull(timestampMs: number | null): string | null {
  return timestampMs === null ? null : toIso(timestampMs);
}
