import { createHash } from "node:crypto";
import { hasTooManyFields } from "./form-body.ts";
import {
  checkAge,
  mac,
  matches,
  matchesHex,
  type SignatureCheck,
  single,
  type Verdict,
} from "./signature-check.ts";

const URL_ENCODED = /^application\/x-www-form-urlencoded\s*(;|$)/i;
// A form of Twilio has a few kilobytes. Its fields are parsed before the signature is known to be valid.
const MAX_FORM_BYTES = 128 * 1024;
// HubSpot decodes exactly these characters before it signs.
const HUBSPOT_DECODED = /%(3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/gi;

/**
 * Twilio signs the URL and the fields of a form. Of any other body it signs the hash, as the query parameter
 * `bodySHA256`: a body without it is covered by nothing.
 */
export function verifyTwilio({ settings, headers, url, body, parsed }: SignatureCheck): Verdict {
  const header = headers["x-twilio-signature"];
  if (header === undefined) return "missing";
  const isForm = URL_ENCODED.test(single(headers["content-type"]) ?? "");
  const bodyHash = new URL(url).searchParams.get("bodySHA256");
  const isCovered = bodyHash === null ? isForm || body.length === 0 : isHashOf(body, bodyHash);
  if (!isCovered || (isForm && (body.length > MAX_FORM_BYTES || hasTooManyFields(body)))) return "invalid";
  const fields = isForm ? parsed(sortedFields) : "";
  const given = single(header) ?? "";
  // Twilio leaves out the port of some calls.
  for (const variant of new Set([url, withoutPort(url)])) {
    const expected = mac("sha1", settings.secret, variant, fields);
    if (matches(given, expected, "base64")) return expected;
  }
  return "invalid";
}

/** HubSpot signs the method, the URL, the body and the time in milliseconds. */
export function verifyHubSpot({ settings, headers, method, url, body, nowMs }: SignatureCheck): Verdict {
  const header = headers["x-hubspot-signature-v3"];
  const timestampHeader = headers["x-hubspot-request-timestamp"];
  if (header === undefined || timestampHeader === undefined) return "missing";
  const timestamp = single(timestampHeader) ?? "";
  const uri = url.replaceAll(HUBSPOT_DECODED, decodeURIComponent);
  const expected = mac("sha256", settings.secret, `${method}${uri}`, body, timestamp);
  return matches(single(header) ?? "", expected, "base64")
    ? checkAge(timestamp, 1, nowMs, expected)
    : "invalid";
}

function sortedFields(body: Buffer): string {
  const fields = new Map<string, Set<string>>();
  for (const [name, value] of new URLSearchParams(body.toString("utf8")))
    fields.set(name, (fields.get(name) ?? new Set()).add(value));
  return [...fields.keys()]
    .toSorted()
    .flatMap((name) => [...fields.get(name)!].toSorted().map((value) => name + value))
    .join("");
}

function isHashOf(body: Buffer, hash: string): boolean {
  return matchesHex(hash, createHash("sha256").update(body).digest());
}

function withoutPort(url: string): string {
  return url.replace(/^(https?:\/\/[^/?#]*?):\d+(?=[/?#]|$)/, "$1");
}

/** The URL that the caller has signed. A request line may contain a whole URL, whose host is the proxy's. */
export function calledUrl(origin: string, requestUrl: string): string {
  return origin + requestUrl.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, "");
}
