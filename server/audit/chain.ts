import { createHash } from "node:crypto";
import type { AuditEvent } from "../../contract/audit.ts";

/** The chain of logins, accounts and the administration; every other chain has the id of its workspace. */
export const INSTANCE_CHAIN = "instance";
/** The previous hash of the first event. */
export const FIRST_HASH = "0".repeat(64);

/** An event as it is stored; the states are canonical JSON. */
export interface StoredEvent {
  sequence: number;
  at: number;
  stage: AuditEvent["stage"];
  actionId: string;
  action: string;
  outcome: AuditEvent["outcome"];
  status: number | null;
  error: string | null;
  actorKind: AuditEvent["actor"]["kind"];
  actorId: string | null;
  actorName: string | null;
  keyId: string | null;
  targetKind: string | null;
  targetId: string | null;
  targetName: string | null;
  address: string | null;
  userAgent: string | null;
  requestId: string | null;
  before: string | null;
  after: string | null;
}

export type NewEvent = Omit<StoredEvent, "sequence">;

/** Null fields are left out: a field that a later version adds changes no older hash. */
export function hashOf(chain: string, event: StoredEvent, previousHash: string): string {
  const content = canonicalJson({ ...event, chain });
  return createHash("sha256").update(`${previousHash}\n${content}`).digest("hex");
}

/** JSON without spaces, its keys sorted by code unit at every level, without null fields. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return canonicalObject(
    Object.entries(value)
      .filter(([, field]) => field !== null && field !== undefined)
      .map(([key, field]) => [key, canonicalJson(field)]),
  );
}

/** The values of the fields must already be canonical JSON. */
export function canonicalObject(fields: (readonly [key: string, text: string])[]): string {
  const sorted = fields.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(",")}}`;
}
