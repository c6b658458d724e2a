import { createHash, hash } from "node:crypto";
import type { StepCall } from "../engine/run/step-runner.ts";
import type { UploadBody } from "./http-upload.ts";

/** Credentials may be renewed between two attempts of one request. */
const CREDENTIAL_HEADER = /auth|cookie|token|secret|signature|session|api-?key/;

const NOT_ASCII = /[^\x20-\x7e]/;

interface Request {
  url: URL;
  init: {
    method: string;
    headers: Record<string, string>;
    body: string | Uint8Array | UploadBody | undefined;
  };
}

/**
 * The same for a repeated request whose answer was lost, as after a crash, so that the receiver does the work once. New
 * after an answered failure, which the receiver may have remembered under the key, and for another request, which a
 * receiver refuses under a used key.
 */
export function idempotencyKeyOf(
  { idempotencyKey, answeredFailures }: Pick<StepCall, "idempotencyKey" | "answeredFailures">,
  request: Request,
): string {
  const key = `${inAscii(idempotencyKey)}:${fingerprintOf(request)}`;
  return answeredFailures === 0 ? key : `${key}:${answeredFailures}`;
}

function fingerprintOf({ url, init: { method, headers, body } }: Request): string {
  const start = `["${method}",${JSON.stringify(url.href)},[${headerList(headers)}]]`;
  // The fingerprint of a streamed body has its names and the ids of its files, which never change.
  const content = typeof body === "object" && "open" in body ? body.fingerprint : (body ?? "");
  const digest =
    typeof content === "string"
      ? hash("sha256", start + content)
      : createHash("sha256").update(start).update(content).digest("hex");
  return digest.slice(0, 16);
}

/**
 * Writes what `JSON.stringify` would write for the list of name and value pairs, ordered by name. Names contain no quotes.
 * Building and sorting that list took half of the time of a key.
 */
function headerList(headers: Record<string, string>): string {
  const names = Object.keys(headers);
  if (!isSorted(names)) names.sort();
  let list = "";
  for (const name of names) {
    if (CREDENTIAL_HEADER.test(name)) continue;
    list += `${list === "" ? "" : ","}["${name}",${JSON.stringify(headers[name])}]`;
  }
  return list;
}

function isSorted(texts: readonly string[]): boolean {
  for (let i = 1; i < texts.length; i++) if (texts[i - 1]! > texts[i]!) return false;
  return true;
}

/** A header holds no other characters, and a step id may. */
function inAscii(key: string): string {
  return NOT_ASCII.test(key) ? key.replaceAll(/[^\x20-\x7e]/gu, encodeURIComponent) : key;
}
