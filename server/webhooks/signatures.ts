import { createHmac, timingSafeEqual } from "node:crypto";
import { isStorableText } from "../../contract/api.ts";
import type { HmacOptions, SignatureScheme } from "../../contract/webhooks.ts";

export interface SignatureSettings extends Partial<Record<keyof HmacOptions, string | undefined>> {
  scheme: SignatureScheme;
  secret: string;
  algorithm?: HmacOptions["algorithm"];
  encoding?: HmacOptions["encoding"];
}

/** A call with a valid signature. */
export interface SignedCall {
  deliveryId?: string;
  /** The digest of a signature that covers a time: it is valid once. Absent for schemes without a time. */
  signature?: string;
}

export type SignatureResult =
  | ({ ok: true } & SignedCall)
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

/** A valid signature returns its digest, by which a replay is recognized. */
type Verdict = Buffer | "missing" | "invalid" | "expired";

// Recommended by Stripe, Slack and Standard Webhooks. Applied in both directions, because clocks differ.
const WINDOW_MS = 5 * 60 * 1000;
// Senders include two or three signatures while they rotate a secret; each costs a comparison.
const MAX_SIGNATURES = 16;

const STANDARD_HEADERS = { id: "webhook-id", timestamp: "webhook-timestamp", signature: "webhook-signature" };
const SVIX_HEADERS = { id: "svix-id", timestamp: "svix-timestamp", signature: "svix-signature" };

const SCHEMES: Record<SignatureScheme, (delivery: Delivery) => Verdict> = {
  github: bodyHmac({ header: "x-hub-signature-256" }),
  shopify: bodyHmac({ header: "x-shopify-hmac-sha256", encoding: "base64" }),
  woocommerce: bodyHmac({ header: "x-wc-webhook-signature", encoding: "base64" }),
  typeform: bodyHmac({ header: "typeform-signature", encoding: "base64", prefix: "sha256=" }),
  hmac: verifyHmac,
  bearer: verifyBearer,
  stripe: verifyStripe,
  slack: verifySlack,
  standard: verifyStandard(STANDARD_HEADERS),
  svix: verifyStandard(SVIX_HEADERS),
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
  if (typeof verdict === "string") return { ok: false, reason: verdict };
  const deliveryId = DELIVERY_IDS[settings.scheme]?.(headers, () => parseJson(rawBody));
  if (deliveryId !== undefined) return { ok: true, deliveryId };
  return coversTime(settings) ? { ok: true, signature: verdict.toString("hex") } : { ok: true };
}

function coversTime({ scheme, timestampHeader }: SignatureSettings): boolean {
  if (scheme === "hmac") return timestampHeader !== undefined;
  return scheme === "stripe" || scheme === "slack" || scheme === "standard" || scheme === "svix";
}

/** The delivery id of a known vendor, for a call that is authorized without a signature. */
export function knownDeliveryId(headers: RequestHeaders, body: unknown): string | undefined {
  return githubDelivery(headers) ?? standardDelivery(headers) ?? stripeEvent(headers, () => body);
}

/** A vendor's HMAC over the body alone; the webhook's own options do not apply. */
function bodyHmac(options: HmacOptions): (delivery: Delivery) => Verdict {
  return ({ settings: { scheme, secret }, ...delivery }) =>
    verifyHmac({ ...delivery, settings: { scheme, secret, ...options } });
}

function verifyHmac({ settings, headers, body, nowMs }: Delivery): Verdict {
  const {
    header = "x-signature",
    prefix,
    algorithm = "sha256",
    encoding = "hex",
    timestampHeader,
  } = settings;
  const found = headers[header.toLowerCase()];
  if (found === undefined) return "missing";
  const value = single(found) ?? "";
  const given = prefix === undefined ? value.replace(/^sha(1|256|512)=/, "") : withoutPrefix(value, prefix);
  if (timestampHeader === undefined) {
    const expected = mac(algorithm, settings.secret, body);
    return matches(given, expected, encoding) ? expected : "invalid";
  }
  const time = headers[timestampHeader.toLowerCase()];
  if (time === undefined) return "missing";
  const timestamp = single(time) ?? "";
  const expected = mac(algorithm, settings.secret, `${timestamp}.`, body);
  return matches(given, expected, encoding) ? checkAge(timestamp, nowMs, expected) : "invalid";
}

function verifyBearer({ settings, headers }: Delivery): Verdict {
  const { authorization } = headers;
  if (authorization === undefined) return "missing";
  const token = /^Bearer +(\S+) *$/i.exec(single(authorization) ?? "")?.[1] ?? "";
  // Hashed, because equal lengths are required and a difference in length would reveal that of the secret.
  const expected = mac("sha256", "bearer", settings.secret);
  return equalBytes(mac("sha256", "bearer", token), expected) ? expected : "invalid";
}

function verifyStripe({ settings, headers, body, nowMs }: Delivery): Verdict {
  const header = headers["stripe-signature"];
  if (header === undefined) return "missing";
  const pairs = (single(header) ?? "").split(",").map((pair) => pair.trim().split("="));
  const timestamp = pairs.find(([name]) => name === "t")?.[1] ?? "";
  const given = pairs.filter(([name]) => name === "v1").map(([, value]) => value ?? "");
  const expected = hmac(settings.secret, `${timestamp}.`, body);
  if (!given.slice(0, MAX_SIGNATURES).some((signature) => matchesHex(signature, expected))) return "invalid";
  return checkAge(timestamp, nowMs, expected);
}

function verifySlack({ settings, headers, body, nowMs }: Delivery): Verdict {
  const header = headers["x-slack-signature"];
  const timestampHeader = headers["x-slack-request-timestamp"];
  if (header === undefined || timestampHeader === undefined) return "missing";
  const timestamp = single(timestampHeader) ?? "";
  const [version, given = ""] = (single(header) ?? "").split("=");
  const expected = hmac(settings.secret, `v0:${timestamp}:`, body);
  if (version !== "v0" || !matchesHex(given, expected)) return "invalid";
  return checkAge(timestamp, nowMs, expected);
}

function verifyStandard(names: typeof STANDARD_HEADERS): (delivery: Delivery) => Verdict {
  return ({ settings, headers, body, nowMs }) => {
    const { [names.id]: idHeader, [names.timestamp]: timestampHeader, [names.signature]: header } = headers;
    if (idHeader === undefined || timestampHeader === undefined || header === undefined) return "missing";
    const id = single(idHeader);
    const timestamp = single(timestampHeader) ?? "";
    if (!id) return "invalid";
    const expected = hmac(keyOf(settings), `${id}.${timestamp}.`, body);
    const given = (single(header) ?? "").split(" ").filter((part) => part.startsWith("v1,"));
    const isSigned = given
      .slice(0, MAX_SIGNATURES)
      .some((part) => equalBytes(Buffer.from(part.slice("v1,".length), "base64"), expected));
    return isSigned ? checkAge(timestamp, nowMs, expected) : "invalid";
  };
}

/** The caller rejects an empty key: anyone could sign with it. */
function keyOf({ scheme, secret }: SignatureSettings): Buffer {
  const isEncoded = (scheme === "standard" || scheme === "svix") && secret.startsWith("whsec_");
  return isEncoded ? Buffer.from(secret.slice("whsec_".length), "base64") : Buffer.from(secret, "utf8");
}

/** Call only after the signature was verified, which covers the timestamp. */
function checkAge(timestampSeconds: string, nowMs: number, digest: Buffer): Verdict {
  if (!/^\d{1,12}$/.test(timestampSeconds)) return "invalid";
  return Math.abs(nowMs - Number(timestampSeconds) * 1000) <= WINDOW_MS ? digest : "expired";
}

function hmac(key: string | Buffer, ...parts: (string | Buffer)[]): Buffer {
  return mac("sha256", key, ...parts);
}

function mac(algorithm: string, key: string | Buffer, ...parts: (string | Buffer)[]): Buffer {
  const digest = createHmac(algorithm, key);
  for (const part of parts) digest.update(part);
  return digest.digest();
}

/** Empty, which matches no digest, when the text does not begin with the prefix. */
function withoutPrefix(text: string, prefix: string): string {
  return text.startsWith(prefix) ? text.slice(prefix.length) : "";
}

function matches(given: string, expected: Buffer, encoding: "hex" | "base64"): boolean {
  if (encoding === "hex") return matchesHex(given, expected);
  return /^[A-Za-z0-9+/]+={0,2}$/.test(given) && equalBytes(Buffer.from(given, "base64"), expected);
}

function matchesHex(given: string, expected: Buffer): boolean {
  // Buffer.from silently stops at the first character that is not a hex digit.
  return (
    /^[0-9a-fA-F]+$/.test(given) &&
    given.length === 2 * expected.length &&
    equalBytes(Buffer.from(given, "hex"), expected)
  );
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

const eventId: DeliveryIdReader = (_headers, body) => {
  const event = body();
  if (typeof event !== "object" || event === null || !("event_id" in event)) return undefined;
  return typeof event.event_id === "string" ? validId(event.event_id) : undefined;
};

const idHeader =
  (name: string): DeliveryIdReader =>
  (headers) =>
    validId(single(headers[name]));

const DELIVERY_IDS: Partial<Record<SignatureScheme, DeliveryIdReader>> = {
  github: githubDelivery,
  standard: standardDelivery,
  stripe: stripeEvent,
  slack: eventId,
  svix: idHeader("svix-id"),
  typeform: eventId,
  shopify: idHeader("x-shopify-webhook-id"),
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
