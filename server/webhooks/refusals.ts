import type { Clock } from "../lib/clock.ts";
import { hashKey } from "../security/api-keys.ts";
import type { Deliveries } from "./deliveries.ts";
import type { Candidates } from "./webhook-authorization.ts";
import type { Address, WebhookRecord, WebhookStore } from "./webhook.sql.ts";

export interface RefusalsDeps {
  store: Pick<WebhookStore, "findIntended">;
  deliveries: Pick<Deliveries, "record">;
  clock: Clock;
  onError: (error: unknown) => void;
}

const RECORD_EVERY_MS = 60_000;
const MAX_REMEMBERED = 10_000;

export type Refusals = ReturnType<typeof createRefusals>;

/**
 * Deliveries for calls that were refused without proof of their sender, for the owner who looks for a call that did not
 * arrive. Owners share a source, so such a delivery has a time and a reason only. It is recorded once a minute for each webhook
 * and reason: a stranger who knows the URL causes few writes.
 */
export function createRefusals({ store, deliveries, clock, onError }: RefusalsDeps) {
  const recordedAt = new Map<string, number>();

  function isRepeated(call: string, reason: string): boolean {
    const key = `${call} ${reason}`;
    const now = clock.now();
    if (now - (recordedAt.get(key) ?? -Infinity) < RECORD_EVERY_MS) return true;
    // Addresses may be invented.
    if (recordedAt.size >= MAX_REMEMBERED) recordedAt.clear();
    recordedAt.set(key, now);
    return false;
  }

  async function record({ id: webhookId }: WebhookRecord, method: string, reason: string): Promise<void> {
    if (isRepeated(webhookId, reason)) return;
    const unseen = { headers: {}, query: {}, body: null, taskId: null, status: "rejected" as const };
    try {
      await deliveries.record({ ...unseen, method, webhookId, reason });
    } catch (error) {
      onError(error);
    }
  }

  const intended = (address: Address, secretHash: string | null): Promise<WebhookRecord | undefined> =>
    store.findIntended(address, secretHash).catch((error: unknown) => {
      onError(error);
      return undefined;
    });

  return {
    /** The signature is wrong or too old. */
    wronglySigned: record,

    /** The caller has no valid secret, or the webhook is paused, which the caller does not learn. */
    async unauthorized(address: Address, secret: string | undefined, method: string, reason: string) {
      const webhook = await intended(address, secret === undefined ? null : hashKey(secret));
      if (webhook !== undefined) await record(webhook, method, webhook.active ? reason : "webhook_paused");
    },

    /** Beyond the limit, which must stay cheap: the webhook is looked up once a minute. */
    async rateLimited(address: Address, method: string) {
      const name = "source" in address ? `source ${address.source}` : address.webhookId;
      if (isRepeated(name, "lookup")) return;
      const webhook = await intended(address, null);
      if (webhook?.active === true) await record(webhook, method, "rate_limited");
    },

    /** The body was refused for its size, or has no signature. Several candidates for a signature are not told apart. */
    async unverified({ webhooks }: Candidates, method: string, reason: string) {
      const [webhook, ...others] = webhooks;
      if (webhook !== undefined && others.length === 0) await record(webhook, method, reason);
    },
  };
}
