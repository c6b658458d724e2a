import { createHash } from "node:crypto";
import type { Idempotency } from "../engine/tasks/task.ts";
import { invalidRequest } from "../lib/errors.ts";
import { serializeInTurns } from "../lib/serialize-json.ts";

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

/**
 * Parses an `Idempotency-Key` header. `scope` names the endpoint and its owner: the same key in another scope is a
 * different key. The body is hashed in canonical form, so a retry may serialize it differently.
 */
export function readIdempotencyKey(
  header: string | string[] | undefined,
  scope: string,
  body: unknown,
): Promise<Idempotency> | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== "string" || !VISIBLE_ASCII.test(header)) {
    throw invalidRequest("Idempotency-Key must be 1–255 visible ASCII characters.", [
      { path: "headers.idempotency-key", message: "must be 1–255 visible ASCII characters" },
    ]);
  }
  return toIdempotency(header, scope, body);
}

/** For a key from elsewhere than the header, such as a vendor's delivery id. */
export async function toIdempotency(key: string, scope: string, body: unknown): Promise<Idempotency> {
  const canonical = await serializeInTurns(body, { sortKeys: true });
  const bodyHash = createHash("sha256").update(scope).update("\n").update(canonical).digest("hex");
  return { scope, key, bodyHash };
}
