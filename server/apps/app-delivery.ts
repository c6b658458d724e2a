import { createHash } from "node:crypto";
import type { AppWebhook } from "../../apps/define-app.ts";
import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import { AppError, notFound } from "../lib/errors.ts";
import { parseJsonText, UNREADABLE_JSON } from "../lib/untrusted-json.ts";
import type { FoundItem } from "../triggers/trigger-claims.sql.ts";
import type { TriggerRecord } from "../triggers/trigger.sql.ts";
import { bodyChallengeResponse, type ChallengeResponse } from "../webhooks/challenge.ts";
import type { RequestHeaders } from "../security/redact-request.ts";
import { receivedRequest } from "../webhooks/signature-check.ts";
import { verifySignature } from "../webhooks/signatures.ts";
import type { AppCatalogue } from "./catalogue.ts";
import { requireTrigger } from "./trigger-check.ts";
import { type AppScope, fill, fillText } from "./template.ts";

export interface DeliveryCall {
  method: string;
  /** The public one, with the query: some signatures cover it. */
  url: string;
  headers: RequestHeaders;
  query: Record<string, unknown>;
  rawBody: Buffer;
}

export interface AppDeliveriesDeps {
  catalogue: Pick<AppCatalogue, "find">;
  /** An active trigger of the kind `app`. */
  findTrigger(id: string): Promise<TriggerRecord<"app"> | undefined>;
  openSecret(trigger: TriggerRecord): string | undefined;
  /** Durable before it returns; a key that was seen before is ignored. */
  store(triggerId: string, item: FoundItem): Promise<void>;
  now(): number;
}

const MAX_TOKEN_LENGTH = 4000;

/** Receives the calls of vendors for webhook triggers: verifies them and stores each as an item once. */
export function createAppDeliveries({ catalogue, findTrigger, openSecret, store, now }: AppDeliveriesDeps) {
  return async function receive(id: string, call: DeliveryCall): Promise<ChallengeResponse | undefined> {
    const record = await findTrigger(id);
    if (record === undefined) throw notFound("trigger");
    const { trigger } = requireTrigger(
      await catalogue.find(record.ownerId, record.settings.app),
      record.settings,
    );
    if (!("webhook" in trigger)) throw notFound("trigger");
    const { webhook } = trigger;
    const token = call.query["validationToken"];
    // Microsoft Graph asks for its own text back while it creates the subscription; none of it is secret.
    if (webhook.scheme === "microsoft-graph" && typeof token === "string" && token.length <= MAX_TOKEN_LENGTH)
      return token;

    const secret = openSecret(record);
    if (secret === undefined) throw notFound("trigger");
    const settings = { scheme: webhook.scheme, secret, ...webhook.signature };
    const { method, url, headers, rawBody } = call;
    const verified = verifySignature(
      settings,
      receivedRequest({ method, url, headers, body: rawBody }),
      now(),
    );
    if (!verified.ok)
      throw new AppError("invalid_signature", "The signature does not match the request or is too old.");
    const body = parseBody(call);
    const challenge = bodyChallengeResponse(settings, body);
    if (challenge !== undefined) return challenge;
    const scope = { body, headers: flat(headers) };
    if (!isWanted(webhook, scope)) return undefined;
    const input = webhook.output === undefined ? body : (fill(webhook.output, scope) ?? null);
    await store(record.id, {
      key: hash(verified.deliveryId ?? verified.signature ?? rawBody),
      title: webhook.name === undefined ? trigger.title : fillText(webhook.name, scope),
      input: isRecord(input) ? (input as Record<string, JsonValue>) : { item: input },
    });
    return undefined;
  };
}

function isWanted({ only = {}, except = {} }: AppWebhook, scope: AppScope): boolean {
  const holds = ([template, values]: [string, readonly string[]]) =>
    values.includes(fillText(template, scope));
  return Object.entries(only).every(holds) && !Object.entries(except).some(holds);
}

function parseBody({ headers, rawBody }: DeliveryCall): JsonValue {
  const type = String(headers["content-type"] ?? "");
  if (type.startsWith("application/x-www-form-urlencoded"))
    return Object.fromEntries(new URLSearchParams(rawBody.toString("utf8")));
  const value = parseJsonText(rawBody.toString("utf8"));
  if (value === undefined) throw new AppError("invalid_json", `The body ${UNREADABLE_JSON}.`);
  return value;
}

function flat(headers: RequestHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ) as Record<string, string>;
}

function hash(value: string | Buffer): string {
  return createHash("sha256").update(value).digest("base64url").slice(0, 22);
}
