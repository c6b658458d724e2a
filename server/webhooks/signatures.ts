import { createHmac, timingSafeEqual } from "node:crypto";
import { isStorableText } from "../../contract/api.ts";
import type { SignatureScheme } from "../../contract/webhooks.ts";

export interface SignatureSettings {
  scheme: SignatureScheme;
  secret: string;
  /** For `hmac`: the header with the signature; `x-signature` by default. */
  header?: string | undefined;
}

export type SignatureResult =
  | { ok: true; deliveryId?: string }
  | { ok: false; reason: "missing" | "invalid" | "expired" };

/** As in node:http: lower-case names. */
export type RequestHeaders = Record<string, string | string[] | undefined>;

interface Delivery {
  settings: SignatureSettings;
  headers: RequestHeaders;
  /** The received bytes: a body that was parsed and serialized again has a different signature. */
  body: Buffer;
  nowMs: number;
}

type Verdict = "valid" | "missing" | "invalid" | "expired";

// Recommended by Stripe, Slack and Standard Webhooks. Applied in both directions, because clocks differ.
const WINDOW_MS = 5 * 60 * 1000;
// Senders include two or three signatures while they rotate a secret; each costs a comparison.
const MAX_SIGNATURES = 16;

const SCHEMES: Record<SignatureScheme, (delivery: Delivery) => Verdict> = {
  github: ({ settings, headers, body }) => verifyHex(headers["x-hub-signature-256"], settings.secret, body),
  hmac: ({ settings, headers, body }) =>
    verifyHex(headers[(settings.header ?? "x-signature").toLowerCase()], settings.secret, body),
  stripe: verifyStripe,
  slack: verifySlack,
  standard: verifyStandard,
};

export function verifySignature(
  settings: SignatureSettings,
  headers: RequestHeaders,
  rawBody: Buffer,
  nowMs: number,
): SignatureResult {
  const verdict =
    keyOf(settings).length === 0
      ? "invalid"
      : SCHEMES[settings.scheme]({ settings, headers, body: rawBody, nowMs });
  if (verdict !== "valid") return { ok: false, reason: verdict };
  const deliveryId = DELIVERY_IDS[settings.scheme]?.(headers, () => parseJson(rawBody));
  return deliveryId === undefined ? { ok: true } : { ok: true, deliveryId };
}

/** The delivery id of a known vendor, for a call that is authorized without a signature. */
export function knownDeliveryId(headers: RequestHeaders, body: unknown): string | undefined {
  return githubDelivery(headers) ?? standardDelivery(headers) ?? stripeEvent(headers, () => body);
}

function verifyHex(header: string | string[] | undefined, secret: string, body: Buffer): Verdict {
  if (header === undefined) return "missing";
  const given = single(header)?.replace(/^sha256=/, "");
  return given !== undefined && matchesHex(given, hmac(secret, body)) ? "valid" : "invalid";
}

function verifyStripe({ settings, headers, body, nowMs }: Delivery): Verdict {
  const header = headers["stripe-signature"];
  if (header === undefined) return "missing";
  const pairs = (single(header) ?? "").split(",").map((pair) => pair.trim().split("="));
  const timestamp = pairs.find(([name]) => name === "t")?.[1] ?? "";
  const given = pairs.filter(([name]) => name === "v1").map(([, value]) => value ?? "");
  const expected = hmac(settings.secret, `${timestamp}.`, body);
  if (!given.slice(0, MAX_SIGNATURES).some((signature) => matchesHex(signature, expected))) return "invalid";
  return checkAge(timestamp, nowMs);
}

function verifySlack({ settings, headers, body, nowMs }: Delivery): Verdict {
  const header = headers["x-slack-signature"];
  const timestampHeader = headers["x-slack-request-timestamp"];
  if (header === undefined || timestampHeader === undefined) return "missing";
  const timestamp = single(timestampHeader) ?? "";
  const [version, given = ""] = (single(header) ?? "").split("=");
  if (version !== "v0" || !matchesHex(given, hmac(settings.secret, `v0:${timestamp}:`, body)))
    return "invalid";
  return checkAge(timestamp, nowMs);
}

function verifyStandard({ settings, headers, body, nowMs }: Delivery): Verdict {
  const {
    "webhook-id": idHeader,
    "webhook-timestamp": timestampHeader,
    "webhook-signature": header,
  } = headers;
  if (idHeader === undefined || timestampHeader === undefined || header === undefined) return "missing";
  const id = single(idHeader);
  const timestamp = single(timestampHeader) ?? "";
  if (!id) return "invalid";
  const expected = hmac(keyOf(settings), `${id}.${timestamp}.`, body);
  const given = (single(header) ?? "").split(" ").filter((part) => part.startsWith("v1,"));
  const matches = given
    .slice(0, MAX_SIGNATURES)
    .some((part) => equalBytes(Buffer.from(part.slice("v1,".length), "base64"), expected));
  return matches ? checkAge(timestamp, nowMs) : "invalid";
}

/** The caller rejects an empty key: anyone could sign with it. */
function keyOf({ scheme, secret }: SignatureSettings): Buffer {
  const isEncoded = scheme === "standard" && secret.startsWith("whsec_");
  return isEncoded ? Buffer.from(secret.slice("whsec_".length), "base64") : Buffer.from(secret, "utf8");
}

/** Call only after the signature was verified, which covers the timestamp. */
function checkAge(timestampSeconds: string, nowMs: number): Verdict {
  if (!/^\d{1,12}$/.test(timestampSeconds)) return "invalid";
  return Math.abs(nowMs - Number(timestampSeconds) * 1000) <= WINDOW_MS ? "valid" : "expired";
}

function hmac(key: string | Buffer, ...parts: (string | Buffer)[]): Buffer {
  const mac = createHmac("sha256", key);
  for (const part of parts) mac.update(part);
  return mac.digest();
}

function matchesHex(given: string, expected: Buffer): boolean {
  // Buffer.from silently stops at the first character that is not a hex digit.
  return /^[0-9a-fA-F]{64}$/.test(given) && equalBytes(Buffer.from(given, "hex"), expected);
}

function equalBytes(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** A repeated header is rejected: two parsers could pick different values. */
function single(header: string | string[] | undefined): string | undefined {
  if (typeof header === "string") return header;
  return header?.length === 1 ? header[0] : undefined;
}

type DeliveryIdReader = (headers: RequestHeaders, body: () => unknown) => string | undefined;

const githubDelivery = (headers: RequestHeaders) => validId(single(headers["x-github-delivery"]));
const standardDelivery = (headers: RequestHeaders) => validId(single(headers["webhook-id"]));

const stripeEvent: DeliveryIdReader = (headers, body) => {
  if (headers["stripe-signature"] === undefined) return undefined;
  const event = body();
  if (typeof event !== "object" || event === null || !("id" in event)) return undefined;
  return typeof event.id === "string" && event.id.startsWith("evt_") ? validId(event.id) : undefined;
};

const DELIVERY_IDS: Partial<Record<SignatureScheme, DeliveryIdReader>> = {
  github: githubDelivery,
  standard: standardDelivery,
  stripe: stripeEvent,
};

/** The id becomes an idempotency key: it must be storable text of limited length. */
function validId(id: string | undefined): string | undefined {
  return id !== undefined && id.length > 0 && id.length <= 255 && isStorableText(id) ? id : undefined;
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}
