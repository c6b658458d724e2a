import { createHash } from "node:crypto";
import type { Idempotency } from "../engine/tasks/task.ts";
import { invalidRequest } from "../lib/errors.ts";

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

/**
 * Parses an `Idempotency-Key` header. `scope` names the endpoint and its owner: the same key in another scope is a
 * different key. The body is hashed in canonical form, so a retry may serialize it differently.
 */
export function readIdempotencyKey(
  header: string | string[] | undefined,
  scope: string,
  body: unknown,
): Idempotency | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== "string" || !VISIBLE_ASCII.test(header)) {
    throw invalidRequest("Idempotency-Key must be 1–255 visible ASCII characters.", [
      { path: "headers.idempotency-key", message: "must be 1–255 visible ASCII characters" },
    ]);
  }
  return toIdempotency(header, scope, body);
}

/** For a key from elsewhere than the header, such as a vendor's delivery id. */
export function toIdempotency(key: string, scope: string, body: unknown): Idempotency {
  const bodyHash = createHash("sha256").update(scope).update("\n").update(canonicalJson(body)).digest("hex");
  return { scope, key, bodyHash };
}

/** The same text for equal JSON values, regardless of key order. Recursion is safe: HTTP bodies have at most 200 levels. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value))
    return value.some(isObject) ? `[${value.map(canonicalJson).join(",")}]` : JSON.stringify(value);
  const object = value as Record<string, unknown>;
  const keys = Object.keys(object).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(object[key])}`).join(",")}}`;
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
