import { createDueLoop, type DueLoop } from "../engine/worker/due-loop.ts";
import type { Clock } from "../lib/clock.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { NewOutboxDelivery } from "../outbox/outbox-delivery.sql.ts";
import { CLOUD_EVENT_TYPE, toCloudEvent } from "./cloud-event.ts";
import type { SubscriptionRecord, SubscriptionStore } from "./event-subscription.sql.ts";
import type { RunEvent, RunEventStore } from "./run-event.sql.ts";

export interface DispatchDeps {
  events: RunEventStore;
  subscriptions: Pick<SubscriptionStore, "listActive">;
  outbox: Pick<Outbox, "wake">;
  clock: Clock;
  serviceUrl: string;
  onError(error: unknown, what: string): void;
}

/** The kind of these messages in the outbox. */
export const EVENT_KIND = "event";

const BATCH_SIZE = 100;

/** Moves stored events to the outbox: one message for each subscription that matches. */
export function createDispatchLoop({
  events,
  subscriptions,
  outbox,
  clock,
  serviceUrl,
  onError,
}: DispatchDeps): DueLoop {
  async function dispatchSome(): Promise<number> {
    const batch = await events.oldest(BATCH_SIZE);
    if (batch.ids.length === 0) return 0;
    const owners = [...new Set(batch.events.map(({ ownerId }) => ownerId))];
    const subscribed = await subscriptions.listActive(owners);
    const messages = batch.events.flatMap((event) =>
      subscribed
        .filter((subscription) => matches(subscription, event))
        .map(({ id }) => ({ eventId: event.id, delivery: toDelivery(event, id, serviceUrl) })),
    );
    await events.moveToOutbox(batch.ids, messages, clock.now());
    if (messages.length > 0) outbox.wake();
    return batch.ids.length;
  }

  return createDueLoop({
    clock,
    async takeDue() {
      while ((await dispatchSome()) === BATCH_SIZE);
      return false;
    },
    nextDue: () => Promise.resolve(null),
    onError: (error) => onError(error, "sending events to the outbox"),
  });
}

function matches({ ownerId, types, workflowId }: SubscriptionRecord, event: RunEvent): boolean {
  return (
    ownerId === event.ownerId &&
    types.includes(event.type) &&
    (workflowId === null || workflowId === event.workflowId)
  );
}

function toDelivery(event: RunEvent, targetId: string, serviceUrl: string): NewOutboxDelivery {
  return {
    ownerId: event.ownerId,
    kind: EVENT_KIND,
    targetId,
    label: event.type,
    subject: event.taskId,
    contentType: CLOUD_EVENT_TYPE,
    body: JSON.stringify(toCloudEvent(event, serviceUrl)),
  };
}
