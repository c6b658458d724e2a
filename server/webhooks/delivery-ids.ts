import { isStorableText } from "../../contract/api.ts";
import { isRecord } from "../../contract/placeholders/json-value.ts";
import type { SignatureScheme } from "../../contract/signature-schemes.ts";
import type { RequestHeaders } from "../security/redact-request.ts";
import { single } from "./signature-check.ts";

type DeliveryIdReader = (headers: RequestHeaders, body: () => unknown) => string | undefined;

const idHeader =
  (name: string): DeliveryIdReader =>
  (headers) =>
    validId(single(headers[name]));

const githubDelivery = idHeader("x-github-delivery");
const standardDelivery = idHeader("webhook-id");

const stripeEvent: DeliveryIdReader = (headers, body) => {
  if (headers["stripe-signature"] === undefined) return undefined;
  const event = body();
  if (!isRecord(event)) return undefined;
  return typeof event["id"] === "string" && event["id"].startsWith("evt_") ? validId(event["id"]) : undefined;
};

const eventId: DeliveryIdReader = (_headers, body) => {
  const event = body();
  return isRecord(event) && typeof event["event_id"] === "string" ? validId(event["event_id"]) : undefined;
};

const READERS: Partial<Record<SignatureScheme, DeliveryIdReader>> = {
  github: githubDelivery,
  standard: standardDelivery,
  stripe: stripeEvent,
  slack: eventId,
  svix: idHeader("svix-id"),
  typeform: eventId,
  shopify: idHeader("x-shopify-webhook-id"),
  twilio: idHeader("i-twilio-idempotency-token"),
};

/** The vendor's id of a call whose signature was verified. */
export function signedDeliveryId(
  scheme: SignatureScheme,
  headers: RequestHeaders,
  body: () => unknown,
): string | undefined {
  return READERS[scheme]?.(headers, body);
}

/** The delivery id of a known vendor, for a call that is authorized without a signature. */
export function knownDeliveryId(headers: RequestHeaders, body: unknown): string | undefined {
  return (
    githubDelivery(headers, () => body) ??
    standardDelivery(headers, () => body) ??
    stripeEvent(headers, () => body)
  );
}

/** The id becomes an idempotency key: it must be storable text of limited length. */
function validId(id: string | undefined): string | undefined {
  return id !== undefined && id.length > 0 && id.length <= 255 && isStorableText(id) ? id : undefined;
}
