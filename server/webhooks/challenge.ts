import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import type { SignatureScheme } from "../../contract/signature-schemes.ts";
import { hashKey } from "../security/api-keys.ts";
import { mac, type SignatureSettings } from "./signature-check.ts";
import type { WebhookRecord } from "./webhook.sql.ts";

/** The response that a vendor expects to its check of the URL: JSON, or text. */
export type ChallengeResponse = Record<string, string> | string;

export interface UrlCheck {
  method: string;
  query: Record<string, unknown>;
}

// What X sends. Without `{`, so that the answer is never the signature of a body: see verifyX.
const CRC_TOKEN = /^[\w+/=.-]{1,256}$/;
const MAX_VALIDATION_TOKEN = 4_000;

/**
 * The response to a check that comes as a query; undefined for an ordinary call. These checks have no signature, so the
 * response contains nothing secret: Meta sends our own secret, Microsoft Graph's token is returned as it is, and X's
 * answer cannot be used as a signature.
 */
export function urlChallengeResponse(
  webhooks: readonly WebhookRecord[],
  { method, query }: UrlCheck,
  secretOf: (webhook: WebhookRecord) => string,
): ChallengeResponse | undefined {
  const configured = (scheme: SignatureScheme) =>
    webhooks.filter(({ signature }) => signature?.scheme === scheme);
  if (method === "POST") {
    const token = query["validationToken"];
    const isGraph = isText(token) && token.length <= MAX_VALIDATION_TOKEN;
    return isGraph && configured("microsoft-graph").length > 0 ? token : undefined;
  }
  const { "hub.mode": mode, "hub.verify_token": verifyToken, "hub.challenge": challenge } = query;
  if (mode === "subscribe" && isText(verifyToken) && isText(challenge)) {
    const hash = hashKey(verifyToken);
    return configured("meta").some(({ secretHash }) => secretHash === hash) ? challenge : undefined;
  }
  const { crc_token: crcToken } = query;
  const [webhook, ...others] = configured("x");
  // X asks only one of several owners of a source: it needs the address with the webhook's id.
  if (!isText(crcToken) || !CRC_TOKEN.test(crcToken) || webhook === undefined || others.length > 0)
    return undefined;
  return { response_token: `sha256=${mac("sha256", secretOf(webhook), crcToken).toString("base64")}` };
}

/**
 * The response to a check that comes as a body. Call only after the signature was verified: otherwise the service would
 * return text of anyone's choice, and for Zoom sign it.
 */
export function bodyChallengeResponse(
  { scheme, secret }: SignatureSettings,
  input: JsonValue,
): ChallengeResponse | undefined {
  if (!isRecord(input)) return undefined;
  if (scheme === "slack" && input["type"] === "url_verification") {
    const { challenge } = input;
    return isText(challenge) ? { challenge } : undefined;
  }
  if (scheme === "zoom" && input["event"] === "endpoint.url_validation" && isRecord(input["payload"])) {
    const { plainToken } = input["payload"];
    return isText(plainToken)
      ? { plainToken, encryptedToken: mac("sha256", secret, plainToken).toString("hex") }
      : undefined;
  }
  return undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
