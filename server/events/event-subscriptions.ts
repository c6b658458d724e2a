import type { PageQuery } from "../../contract/api.ts";
import type {
  CreateEventSubscription,
  EventDelivery,
  EventSubscription,
  UpdateEventSubscription,
} from "../../contract/events.ts";
import { TEST_EVENT_TYPE } from "../../contract/events.ts";
import { type Clock, toIso } from "../lib/clock.ts";
import { AppError, invalidRequest, notFound } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import type { ResultPage } from "../lib/result-page.ts";
import type { Receiver } from "../outbox/attempt.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { OutboxDelivery } from "../outbox/outbox-delivery.sql.ts";
import { eventSecretContext } from "../security/seal-contexts.ts";
import type { SecretBox } from "../security/secret-box.ts";
import { createSigningSecret } from "../security/standard-webhooks.ts";
import { CLOUD_EVENT_TYPE, parsed, testEvent } from "./cloud-event.ts";
import { EVENT_KIND } from "./dispatch.ts";
import type { SubscriptionRecord, SubscriptionStore } from "./event-subscription.sql.ts";

export interface SubscriptionsDeps {
  store: SubscriptionStore;
  outbox: Outbox;
  box: SecretBox;
  clock: Clock;
  serviceUrl: string;
  /** Throws `workflow_not_found` or `forbidden`. */
  requireWorkflow(ownerId: string, workflowId: string): Promise<unknown>;
  /** A subscription was added, changed or removed. */
  onChanged(): Promise<void>;
}

export interface WithSecret {
  subscription: SubscriptionRecord;
  secret: string;
}

export type EventSubscriptions = ReturnType<typeof createEventSubscriptions>;

/** Each event of an owner is copied once for every subscription. */
const MAX_SUBSCRIPTIONS = 20;
/** The receiver changes its secret within this time; meanwhile both sign. */
const ROTATION_MS = 24 * 3600 * 1000;
const DELETED_AT_ONCE = 500;

export function createEventSubscriptions({
  store,
  outbox,
  box,
  clock,
  serviceUrl,
  requireWorkflow,
  onChanged,
}: SubscriptionsDeps) {
  async function checkWorkflow(ownerId: string, workflowId: string | null | undefined): Promise<void> {
    if (workflowId !== null && workflowId !== undefined) await requireWorkflow(ownerId, workflowId);
  }

  return {
    async create(ownerId: string, given: CreateEventSubscription): Promise<WithSecret> {
      await checkWorkflow(ownerId, given.workflowId);
      const now = clock.now();
      const id = createId("sub", now);
      const secret = createSigningSecret();
      const subscription: SubscriptionRecord = {
        id,
        ownerId,
        ...given,
        disabledReason: null,
        sealedSecret: box.seal(secret, eventSecretContext({ ownerId, id })),
        sealedPreviousSecret: null,
        previousUntil: null,
        createdAt: now,
        updatedAt: now,
      };
      if (!(await store.insert(subscription, MAX_SUBSCRIPTIONS)))
        throw new AppError(
          "limit_reached",
          `A workspace has at most ${MAX_SUBSCRIPTIONS} event subscriptions. Delete one first.`,
        );
      await onChanged();
      return { subscription, secret };
    },

    get: (ownerId: string, id: string) => store.get(id, ownerId),
    list: (ownerId: string, page: PageQuery) => store.list(ownerId, page),

    async update(ownerId: string, id: string, change: UpdateEventSubscription): Promise<SubscriptionRecord> {
      await checkWorkflow(ownerId, change.workflowId);
      const updated = await store.update(id, ownerId, change, clock.now());
      await onChanged();
      return updated;
    },

    async remove(ownerId: string, id: string): Promise<void> {
      await store.remove(id, ownerId);
      await onChanged();
      while ((await outbox.removeSome(EVENT_KIND, id, DELETED_AT_ONCE)) === DELETED_AT_ONCE);
    },

    async rotate(ownerId: string, id: string): Promise<WithSecret> {
      const now = clock.now();
      const secret = createSigningSecret();
      const sealed = box.seal(secret, eventSecretContext({ ownerId, id }));
      const times = { previousUntil: now + ROTATION_MS, now };
      return { subscription: await store.replaceSecret(id, ownerId, sealed, times), secret };
    },

    /** Sends an event that says nothing, so that the receiver can be tested. */
    async test(ownerId: string, id: string): Promise<void> {
      const { active } = await store.get(id, ownerId);
      if (!active) throw invalidRequest("This subscription is switched off. Switch it on first.");
      const now = clock.now();
      const event = testEvent(createId("evt", now), id, serviceUrl, now);
      await outbox.enqueue([
        {
          ownerId,
          kind: EVENT_KIND,
          targetId: id,
          label: TEST_EVENT_TYPE,
          subject: null,
          contentType: CLOUD_EVENT_TYPE,
          body: JSON.stringify(event),
        },
      ]);
    },

    async listDeliveries(ownerId: string, id: string, page: PageQuery): Promise<ResultPage<OutboxDelivery>> {
      await store.get(id, ownerId);
      return outbox.list(EVENT_KIND, id, page);
    },

    async resend(ownerId: string, id: string, deliveryId: string): Promise<OutboxDelivery> {
      await store.get(id, ownerId);
      const resent = await outbox.resend(EVENT_KIND, id, deliveryId);
      if (resent === undefined) throw notFound("delivery", deliveryId);
      return resent;
    },

    /** Where the outbox sends the messages of a subscription. */
    async receiver(id: string, ownerId: string): Promise<Receiver | undefined> {
      const found = await store.find(id, ownerId);
      if (found === undefined || !found.active) return undefined;
      const { url, sealedSecret, sealedPreviousSecret, previousUntil } = found;
      const isRotating = sealedPreviousSecret !== null && (previousUntil ?? 0) > clock.now();
      const sealed = isRotating ? [sealedSecret, sealedPreviousSecret] : [sealedSecret];
      return { url, secrets: sealed.map((each) => box.open(each, eventSecretContext({ ownerId, id }))) };
    },

    async disable(id: string, ownerId: string): Promise<void> {
      await store.disable(id, ownerId, "gone", clock.now());
      await onChanged();
    },
  };
}

export function toSubscription({
  id,
  url,
  types,
  workflowId,
  active,
  disabledReason,
  createdAt,
  updatedAt,
}: SubscriptionRecord): EventSubscription {
  return {
    id,
    url,
    types,
    workflowId,
    active,
    disabledReason,
    createdAt: toIso(createdAt),
    updatedAt: toIso(updatedAt),
  };
}

export function toDelivery(delivery: OutboxDelivery): EventDelivery {
  const time = (at: number | null) => (at === null ? null : toIso(at));
  return {
    id: delivery.id,
    type: delivery.label,
    taskId: delivery.subject,
    status: delivery.status,
    attempts: delivery.attempts,
    nextAttemptAt: time(delivery.dueAt),
    lastAttemptAt: time(delivery.lastAttemptAt),
    responseStatus: delivery.responseStatus,
    responseExcerpt: delivery.responseExcerpt,
    error: delivery.error,
    event: parsed(delivery.body) as Record<string, unknown>,
    createdAt: toIso(delivery.createdAt),
  };
}
