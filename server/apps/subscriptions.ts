import type { AppRequest, AppWebhook } from "../../apps/define-app.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { AppError } from "../lib/errors.ts";
import type { CheckResult } from "../triggers/source.ts";
import type { AppClient, AppSession } from "./app-client.ts";
import { scopeOf } from "./run-action.ts";
import { fill, fillText } from "./template.ts";

/** A subscription that expires is made again this long before. */
const RENEW_BEFORE_MS = 12 * 3600 * 1000;

export interface Subscription {
  id: string;
  /** In milliseconds; null when it does not expire. */
  expiresAt: number | null;
  /** The connection and the input that it was made with: with others, it is ended and made again. */
  connection: string;
  input: Record<string, JsonValue>;
}

/** `subscription` is null while nobody knows whether the vendor has one: a crash may follow the request. */
export interface SubscriptionPosition {
  subscription: Subscription | null;
}

export function readSubscription(position: string | null): SubscriptionPosition | undefined {
  return position === null || position === "" ? undefined : (JSON.parse(position) as SubscriptionPosition);
}

export interface Subscriber {
  webhook: AppWebhook;
  session: AppSession;
  input: Record<string, JsonValue>;
  /** Where the vendor sends its calls; different for each trigger. */
  url: string;
  connection: string;
}

/** Makes a subscription, after ending those with this URL that a crash left behind. */
export async function subscribe(
  client: Pick<AppClient, "send">,
  { webhook, session, input, url, connection }: Subscriber,
  secret: string,
): Promise<{ subscription: Subscription; secret: string }> {
  const scope = { ...scopeOf({}, session.use, input), webhook: { url, secret } };
  await endLeftOvers(client, { webhook, session, input, url, connection });
  const answer = await client.send(session, webhook.subscribe, scope);
  const found = { ...scope, ...answer };
  const id = fillText(webhook.id, found);
  if (id === "")
    throw new AppError("invalid_response", `${session.app.title} returned no id for the subscription.`);
  const expires = webhook.expires === undefined ? Number.NaN : Date.parse(fillText(webhook.expires, found));
  return {
    subscription: { id, expiresAt: Number.isNaN(expires) ? null : expires, connection, input },
    secret: webhook.secret === undefined ? secret : fillText(webhook.secret, found) || secret,
  };
}

/** Subscriptions with our URL that are not in our records. */
export async function endLeftOvers(client: Pick<AppClient, "send">, subscriber: Subscriber): Promise<void> {
  const { webhook, session, input, url } = subscriber;
  if (webhook.list === undefined) return;
  const scope = scopeOf({}, session.use, input);
  const answer = await client.send(session, webhook.list.request, scope);
  const listed = fill(webhook.list.items, { ...scope, ...answer });
  for (const item of Array.isArray(listed) ? listed : [])
    if (fillText(webhook.list.url, { item }) === url)
      await unsubscribe(client, subscriber, fillText(webhook.list.id, { item }));
}

/** A subscription that the vendor no longer knows has ended. */
export async function unsubscribe(
  client: Pick<AppClient, "send">,
  { webhook, session, input }: Pick<Subscriber, "webhook" | "session" | "input">,
  id: string,
): Promise<void> {
  const request: AppRequest = webhook.unsubscribe;
  try {
    await client.send(session, request, { ...scopeOf({}, session.use, input), subscription: { id } });
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

function isGone(error: unknown): boolean {
  const { response } = (error instanceof AppError ? (error.stepExtra ?? {}) : {}) as {
    response?: { status?: number };
  };
  return response?.status === 404 || response?.status === 410;
}

/** Keeps, makes, renews or replaces the subscription of an active trigger. One step at a time, each recorded before the next. */
export async function reconcile(
  client: Pick<AppClient, "send">,
  subscriber: Subscriber,
  state: {
    position: SubscriptionPosition | undefined;
    /** Null before the first check. */
    secret: string | null;
    now: number;
    createSecret(): string;
    seal(secret: string): string;
    /** For a subscription of other settings. */
    openOld(old: Subscription): Promise<Pick<Subscriber, "webhook" | "session" | "input">>;
  },
): Promise<CheckResult> {
  const { position, secret, now, createSecret, seal, openOld } = state;
  const result = (subscription: Subscription | null, more: Partial<CheckResult> = {}): CheckResult => ({
    items: [],
    position: JSON.stringify({ subscription }),
    hasMore: false,
    ...more,
  });
  // The secret is stored first: the vendor's first call may arrive before its answer.
  if (position === undefined || secret === null)
    return result(null, { secrets: seal(createSecret()), hasMore: true });
  const { subscription: old } = position;
  const isSame =
    old !== null &&
    old.connection === subscriber.connection &&
    JSON.stringify(old.input) === JSON.stringify(subscriber.input);
  if (old !== null && isSame && (old.expiresAt === null || old.expiresAt - now > RENEW_BEFORE_MS))
    return result(old);
  if (old !== null && !isSame) {
    await unsubscribe(client, await openOld(old), old.id);
    return result(null, { hasMore: true });
  }
  const made = await subscribe(client, subscriber, secret);
  // The new one is made first, so that no event is lost in between.
  if (old !== null && old.id !== made.subscription.id) await unsubscribe(client, subscriber, old.id);
  return result(made.subscription, made.secret === secret ? {} : { secrets: seal(made.secret) });
}
