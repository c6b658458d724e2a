import { createHmac } from "node:crypto";
import type { AppWebhook } from "../../../apps/define-app.ts";
import { isRecord, type JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { DeliveryCall } from "../../../server/apps/app-delivery.ts";

/** A delivery as the vendor sends it, signed as its scheme says. */
export function signedDelivery(
  { scheme, signature = {} }: AppWebhook,
  { headers, body }: { headers: Record<string, string>; body: JsonValue },
  secret: string,
): DeliveryCall {
  const url = "https://baton.example.com/webhook/t/trg_1";
  const signed = scheme === "microsoft-graph" ? withClientState(body, secret) : body;
  const text = JSON.stringify(signed);
  const mac = (
    value: string,
    encoding: "hex" | "base64" = "hex",
    algorithm = "sha256",
    key: string | Buffer = secret,
  ) => createHmac(algorithm, key).update(value).digest(encoding);
  const seconds = String(Math.floor(Date.now() / 1000));
  const own = (): Record<string, string> => {
    switch (scheme) {
      case "github":
      case "meta":
        return { "x-hub-signature-256": `sha256=${mac(text)}` };
      case "shopify":
        return { "x-shopify-hmac-sha256": mac(text, "base64") };
      case "stripe":
        return { "stripe-signature": `t=${seconds},v1=${mac(`${seconds}.${text}`)}` };
      case "slack":
        return {
          "x-slack-request-timestamp": seconds,
          "x-slack-signature": `v0=${mac(`v0:${seconds}:${text}`)}`,
        };
      case "hmac": {
        const { header = "x-signature", encoding, algorithm, prefix = "", timestampHeader } = signature;
        const covered = timestampHeader === undefined ? text : `${seconds}.${text}`;
        return {
          [header.toLowerCase()]: prefix + mac(covered, encoding, algorithm),
          ...(timestampHeader !== undefined && { [timestampHeader.toLowerCase()]: seconds }),
        };
      }
      case "bearer":
        return { authorization: `Bearer ${secret}` };
      case "hubspot": {
        const now = String(Date.now());
        return {
          "x-hubspot-request-timestamp": now,
          "x-hubspot-signature-v3": mac(`POST${url}${text}${now}`, "base64"),
        };
      }
      case "typeform":
        return { "typeform-signature": `sha256=${mac(text, "base64")}` };
      case "woocommerce":
        return { "x-wc-webhook-signature": mac(text, "base64") };
      case "microsoft-graph":
        return {};
      default:
        throw new Error(`Add the scheme ${scheme} to test/apps/support/sign-delivery.ts.`);
    }
  };
  return {
    method: "POST",
    url,
    query: {},
    headers: { "content-type": "application/json", ...headers, ...own() },
    rawBody: Buffer.from(text),
  };
}

function withClientState(body: JsonValue, secret: string): JsonValue {
  const { value } = body as { value: JsonValue[] };
  return {
    ...(body as object),
    value: value.map((one) => (isRecord(one) ? ({ ...one, clientState: secret } as JsonValue) : one)),
  };
}
