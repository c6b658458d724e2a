import { createHash } from "node:crypto";
import type { Idempotency } from "../engine/engine-api.ts";
import { invalidRequest } from "../lib/errors.ts";
import { canonicalJson } from "./canonical-json.ts";

const VISIBLE = /^[\x21-\x7e]{1,255}$/;

/**
 * What an `Idempotency-Key` header means to the engine. `scope` names the endpoint and its owner, so the same
 * key elsewhere is another key; the body is hashed in a canonical form, so a sender may write it anew.
 */
export function idempotencyOf(
  header: string | string[] | undefined,
  scope: string,
  body: unknown,
): Idempotency | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== "string" || !VISIBLE.test(header)) {
    throw invalidRequest("Idempotency-Key must be 1–255 visible ASCII characters.", [
      { path: "headers.idempotency-key", message: "must be 1–255 visible ASCII characters" },
    ]);
  }
  return keyedBy(header, scope, body);
}

/** The same for a key that did not come in the header: a vendor's delivery id. */
export function keyedBy(key: string, scope: string, body: unknown): Idempotency {
  const bodyHash = createHash("sha256").update(scope).update("\n").update(canonicalJson(body)).digest("hex");
  return { scope, key, bodyHash };
}
