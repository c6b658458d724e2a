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
/** Of the messages of one batch; one event may have more. */
const BATCH_CHARACTERS = 8 * 1024 * 1024;

/** Moves stored events to the outbox: one message for each subscription that matches. */
export function createDispatchLoop({
  events,
  subscriptions,
  outbox,
  clock,
  serviceUrl,
  onError,
}: DispatchDeps): DueLoop {
  /** True when more events may be stored. */
  async function dispatchSome(): Promise<boolean> {
    const batch = await events.oldest(BATCH_SIZE);
    if (batch.ids.length === 0) return false;
    const owners = [...new Set(batch.events.map(({ ownerId }) => ownerId))];
    const subscribed = await subscriptions.listActive(owners);
    const eventOf = new Map(batch.events.map((event) => [event.id, event]));
    const moved: string[] = [];
    const messages: { eventId: string; delivery: NewOutboxDelivery }[] = [];
    let characters = 0;
    for (const id of batch.ids) {
      if (characters >= BATCH_CHARACTERS) break;
      moved.push(id);
      const event = eventOf.get(id);
      const receivers = event ? subscribed.filter((subscription) => matches(subscription, event)) : [];
      if (event === undefined || receivers.length === 0) continue;
      const body = JSON.stringify(toCloudEvent(event, serviceUrl));
      characters += body.length * receivers.length;
      for (const receiver of receivers)
        messages.push({ eventId: id, delivery: toDelivery(event, receiver.id, body) });
    }
    await events.moveToOutbox(moved, messages, clock.now());
    if (messages.length > 0) outbox.wake();
    return moved.length < batch.ids.length || batch.ids.length === BATCH_SIZE;
  }

  return createDueLoop({
    clock,
    async takeDue() {
      while (await dispatchSome());
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

function toDelivery(event: RunEvent, targetId: string, body: string): NewOutboxDelivery {
  return {
    ownerId: event.ownerId,
    kind: EVENT_KIND,
    targetId,
    label: event.type,
    subject: event.taskId,
    contentType: CLOUD_EVENT_TYPE,
    body,
  };
}
