import type { EventType } from "../../contract/events.ts";
import { createDueLoop, type DueLoop } from "../engine/worker/due-loop.ts";
import type { Clock } from "../lib/clock.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { NewOutboxDelivery } from "../outbox/outbox-delivery.sql.ts";
import { CLOUD_EVENT_TYPE, type NewNotification, notificationEvent, toCloudEvent } from "./cloud-event.ts";
import type { SubscriptionRecord, SubscriptionStore } from "./event-subscription.sql.ts";
import type { EventWrite, RunEvent, RunEventStore } from "./run-event.sql.ts";

/** Turns events into notifications of members. */
export interface NotificationSink {
  /** The writes are made together with the move of the events; `created` may join open notifications instead. */
  collect(events: readonly RunEvent[], now: number): { writes: EventWrite[]; created: NewNotification[] };
  /** `delivery` is stored only with a notification that is new. */
  insertDelivery(notificationId: string, delivery: NewOutboxDelivery, now: number): EventWrite;
  /** The notifications of these workspaces have changed. */
  changed(ownerIds: readonly string[]): void;
}

export interface DispatchDeps {
  events: RunEventStore;
  subscriptions: Pick<SubscriptionStore, "listActive">;
  outbox: Pick<Outbox, "wake">;
  notifications: NotificationSink;
  clock: Clock;
  serviceUrl: string;
  onError(error: unknown, what: string): void;
}

/** The kind of these messages in the outbox. */
export const EVENT_KIND = "event";

const BATCH_SIZE = 100;
/** Limits the messages of one batch; a single event may have more. */
const BATCH_CHARACTERS = 8 * 1024 * 1024;

/** Moves stored events to the outbox: one message for each subscription that matches. */
export function createDispatchLoop({
  events,
  subscriptions,
  outbox,
  notifications,
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
    const known: RunEvent[] = [];
    const messages: { eventId: string; delivery: NewOutboxDelivery }[] = [];
    let characters = 0;
    for (const id of batch.ids) {
      if (characters >= BATCH_CHARACTERS) break;
      moved.push(id);
      const event = eventOf.get(id);
      if (event === undefined) continue;
      known.push(event);
      const { type, ownerId } = event;
      const about = { type, ownerId, workflowId: event.task?.workflowId ?? null };
      const receivers = subscribed.filter((subscription) => matches(subscription, about));
      if (receivers.length === 0) continue;
      const body = JSON.stringify(toCloudEvent(event, serviceUrl));
      characters += body.length * receivers.length;
      for (const receiver of receivers)
        messages.push({
          eventId: id,
          delivery: toDelivery(about, event.task?.id ?? null, receiver.id, body),
        });
    }
    const now = clock.now();
    const { writes, created } = notifications.collect(known, now);
    const deliveries: EventWrite[] = [];
    for (const notification of created)
      deliveries.push(...(await notificationDeliveries(notification, subscribed, now)));
    await events.moveToOutbox(moved, messages, now, [...writes, ...deliveries]);
    if (messages.length + deliveries.length > 0) outbox.wake();
    notifications.changed([...new Set(created.map(({ ownerId }) => ownerId))]);
    return moved.length < batch.ids.length || batch.ids.length === BATCH_SIZE;
  }

  async function notificationDeliveries(
    notification: NewNotification,
    subscribed: readonly SubscriptionRecord[],
    now: number,
  ): Promise<EventWrite[]> {
    const about = { ...notification, type: "baton.notification.created" as const };
    const receivers = subscribed.filter((subscription) => matches(subscription, about));
    if (receivers.length === 0) return [];
    const body = JSON.stringify(await notificationEvent(notification, serviceUrl));
    return receivers.map(({ id }) =>
      notifications.insertDelivery(notification.id, toDelivery(about, null, id, body), now),
    );
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

interface About {
  ownerId: string;
  type: EventType;
  workflowId: string | null;
}

function matches({ ownerId, types, workflowId }: SubscriptionRecord, event: About): boolean {
  return (
    ownerId === event.ownerId &&
    types.includes(event.type) &&
    (workflowId === null || workflowId === event.workflowId)
  );
}

function toDelivery(
  { ownerId, type }: About,
  subject: string | null,
  targetId: string,
  body: string,
): NewOutboxDelivery {
  return { ownerId, kind: EVENT_KIND, targetId, label: type, subject, contentType: CLOUD_EVENT_TYPE, body };
}
