import { isRecord } from "../../contract/placeholders/json-value.ts";
import type { SignatureScheme } from "../../contract/signature-schemes.ts";
import type { HmacOptions } from "../../contract/webhooks.ts";
import { signedDeliveryId } from "./delivery-ids.ts";
import {
  checkAge,
  equalBytes,
  equalSecrets,
  mac,
  matches,
  matchesHex,
  parseJson,
  type ReceivedRequest,
  type SignatureCheck,
  type SignatureSettings,
  single,
  type Verdict,
} from "./signature-check.ts";
import { verifyHubSpot, verifyTwilio } from "./url-signatures.ts";

/** A call with a valid signature. */
export interface SignedCall {
  deliveryId?: string;
  /** The digest of a signature that covers a time: it is valid once. Absent for schemes without a time. */
  signature?: string;
}

export type SignatureResult =
  | ({ ok: true } & SignedCall)
  | { ok: false; reason: "missing" | "invalid" | "expired" };

// Senders include two or three signatures while they rotate a secret; each costs a comparison.
const MAX_SIGNATURES = 16;
const SECOND_MS = 1000;

const STANDARD_HEADERS = { id: "webhook-id", timestamp: "webhook-timestamp", signature: "webhook-signature" };
const SVIX_HEADERS = { id: "svix-id", timestamp: "svix-timestamp", signature: "svix-signature" };

interface Scheme {
  verify(check: SignatureCheck): Verdict;
  /** A verified signature is valid once, within its window. */
  coversTime?: boolean;
  /** A GET request has no body: only a signature over its URL says anything about it. */
  coversUrl?: boolean;
}

const SCHEMES: Record<SignatureScheme, Scheme> = {
  github: bodyHmac({ header: "x-hub-signature-256" }),
  shopify: bodyHmac({ header: "x-shopify-hmac-sha256", encoding: "base64" }),
  woocommerce: bodyHmac({ header: "x-wc-webhook-signature", encoding: "base64" }),
  typeform: bodyHmac({ header: "typeform-signature", encoding: "base64", prefix: "sha256=" }),
  meta: bodyHmac({ header: "x-hub-signature-256", prefix: "sha256=" }),
  x: { verify: verifyX },
  "microsoft-graph": { verify: verifyGraph },
  hmac: { verify: verifyHmac },
  bearer: { verify: verifyBearer },
  twilio: { verify: verifyTwilio, coversUrl: true },
  hubspot: { verify: verifyHubSpot, coversUrl: true, coversTime: true },
  stripe: { verify: verifyStripe, coversTime: true },
  slack: verifyVersioned("x-slack-signature", "x-slack-request-timestamp"),
  zoom: verifyVersioned("x-zm-signature", "x-zm-request-timestamp"),
  standard: verifyStandard(STANDARD_HEADERS),
  svix: verifyStandard(SVIX_HEADERS),
};

export function verifySignature(
  settings: SignatureSettings,
  request: ReceivedRequest,
  nowMs: number,
): SignatureResult {
  const verdict =
    keyOf(settings).length === 0
      ? "invalid"
      : SCHEMES[settings.scheme].verify({ settings, nowMs, ...request });
  if (typeof verdict === "string") return { ok: false, reason: verdict };
  const deliveryId = signedDeliveryId(settings.scheme, request.headers, () => request.parsed(parseJson));
  if (deliveryId !== undefined) return { ok: true, deliveryId };
  return coversTime(settings) ? { ok: true, signature: verdict.toString("hex") } : { ok: true };
}

export function coversUrl(scheme: SignatureScheme): boolean {
  return SCHEMES[scheme].coversUrl === true;
}

function coversTime({ scheme, timestampHeader }: SignatureSettings): boolean {
  return scheme === "hmac" ? timestampHeader !== undefined : SCHEMES[scheme].coversTime === true;
}

/** A vendor's HMAC over the body alone; the webhook's own options do not apply. */
function bodyHmac(options: HmacOptions): Scheme {
  return {
    verify: ({ settings: { scheme, secret }, ...check }) =>
      verifyHmac({ ...check, settings: { scheme, secret, ...options } }),
  };
}

function verifyHmac({ settings, headers, body, nowMs }: SignatureCheck): Verdict {
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
  return matches(given, expected, encoding) ? checkAge(timestamp, SECOND_MS, nowMs, expected) : "invalid";
}

function verifyBearer({ settings, headers }: SignatureCheck): Verdict {
  const { authorization } = headers;
  if (authorization === undefined) return "missing";
  const token = /^Bearer +(\S+) *$/i.exec(single(authorization) ?? "")?.[1] ?? "";
  return equalSecrets(token, settings.secret) ? mac("sha256", settings.secret, token) : "invalid";
}

/**
 * X signs the body with the key that also answers its check of the URL (challenge.ts), which anyone may ask for. Bodies
 * are objects and the check refuses `{`, so no answer is the signature of a body.
 */
function verifyX(check: SignatureCheck): Verdict {
  const { verify } = bodyHmac({
    header: "x-twitter-webhooks-signature",
    encoding: "base64",
    prefix: "sha256=",
  });
  const verdict = verify(check);
  return typeof verdict !== "string" && check.body[0] !== "{".charCodeAt(0) ? "invalid" : verdict;
}

/** Microsoft Graph does not sign: each notification repeats the `clientState` of its subscription. */
function verifyGraph({ settings, body, parsed }: SignatureCheck): Verdict {
  const collection = parsed(parseJson);
  const notifications = isRecord(collection) && Array.isArray(collection["value"]) ? collection["value"] : [];
  const states = notifications.map((notification) =>
    isRecord(notification) && typeof notification["clientState"] === "string"
      ? notification["clientState"]
      : undefined,
  );
  if (states.every((state) => state === undefined)) return "missing";
  const isOurs = states.every((state) => state !== undefined && equalSecrets(state, settings.secret));
  return isOurs ? mac("sha256", settings.secret, body) : "invalid";
}

function verifyStripe({ settings, headers, body, nowMs }: SignatureCheck): Verdict {
  const header = headers["stripe-signature"];
  if (header === undefined) return "missing";
  const pairs = (single(header) ?? "").split(",").map((pair) => pair.trim().split("="));
  const timestamp = pairs.find(([name]) => name === "t")?.[1] ?? "";
  const given = pairs.filter(([name]) => name === "v1").map(([, value]) => value ?? "");
  const expected = mac("sha256", settings.secret, `${timestamp}.`, body);
  if (!given.slice(0, MAX_SIGNATURES).some((signature) => matchesHex(signature, expected))) return "invalid";
  return checkAge(timestamp, SECOND_MS, nowMs, expected);
}

/** Slack and Zoom sign `v0:<time>:<body>`. */
function verifyVersioned(signatureName: string, timestampName: string): Scheme {
  return {
    coversTime: true,
    verify({ settings, headers, body, nowMs }) {
      const { [signatureName]: header, [timestampName]: timestampHeader } = headers;
      if (header === undefined || timestampHeader === undefined) return "missing";
      const timestamp = single(timestampHeader) ?? "";
      const [version, given = ""] = (single(header) ?? "").split("=");
      const expected = mac("sha256", settings.secret, `v0:${timestamp}:`, body);
      if (version !== "v0" || !matchesHex(given, expected)) return "invalid";
      return checkAge(timestamp, SECOND_MS, nowMs, expected);
    },
  };
}

function verifyStandard(names: typeof STANDARD_HEADERS): Scheme {
  return {
    coversTime: true,
    verify({ settings, headers, body, nowMs }) {
      const { [names.id]: idHeader, [names.timestamp]: timestampHeader, [names.signature]: header } = headers;
      if (idHeader === undefined || timestampHeader === undefined || header === undefined) return "missing";
      const id = single(idHeader);
      const timestamp = single(timestampHeader) ?? "";
      if (!id) return "invalid";
      const expected = mac("sha256", keyOf(settings), `${id}.${timestamp}.`, body);
      const given = (single(header) ?? "").split(" ").filter((part) => part.startsWith("v1,"));
      const isSigned = given
        .slice(0, MAX_SIGNATURES)
        .some((part) => equalBytes(Buffer.from(part.slice("v1,".length), "base64"), expected));
      return isSigned ? checkAge(timestamp, SECOND_MS, nowMs, expected) : "invalid";
    },
  };
}

/** The caller rejects an empty key: anyone could sign with it. */
function keyOf({ scheme, secret }: SignatureSettings): Buffer {
  const isEncoded = (scheme === "standard" || scheme === "svix") && secret.startsWith("whsec_");
  return isEncoded ? Buffer.from(secret.slice("whsec_".length), "base64") : Buffer.from(secret, "utf8");
}

/** Empty, which matches no digest, when the text does not begin with the prefix. */
function withoutPrefix(text: string, prefix: string): string {
  return text.startsWith(prefix) ? text.slice(prefix.length) : "";
}
