import { AUDIT_EVENT_TYPE } from "../../contract/events.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { Part, Platform } from "../platform/part.ts";
import { deleteOwned } from "../storage/delete-owned.ts";
import { type EventOwners, RUN_EVENT_CHANNEL } from "../storage/engine/run-events.ts";
import type { WorkflowsPart } from "../workflows/part.ts";
import { createDispatchLoop, EVENT_KIND, type NotificationSink } from "./dispatch.ts";
import { createSubscribedOwners } from "./event-owners.ts";
import { createSubscriptionStore } from "./event-subscription.sql.ts";
import { eventSubscriptionRoutes } from "./event-subscription.routes.ts";
import { createEventSubscriptions } from "./event-subscriptions.ts";
import { createRunEventStore } from "./run-event.sql.ts";

export interface EventsPart extends Part {
  /** For the engine, which writes events only for these owners. */
  eventOwners: EventOwners;
  /** The subscriptions of a workspace to its audit events. */
  auditSubscriptions(ownerId: string): Promise<readonly { id: string }[]>;
}

const SUBSCRIPTION_CHANNEL = "event_subscription";

/** Events of runs and approvals, sent as CloudEvents to the addresses that users subscribe. */
export async function createEventsPart(
  { config, clock, db, box, report }: Platform,
  { workflows }: WorkflowsPart,
  outbox: Outbox,
  notifications: NotificationSink,
): Promise<EventsPart> {
  const { serviceUrl } = config;
  const store = createSubscriptionStore(db);
  const owners = createSubscribedOwners(() => store.listOwners((type) => type !== AUDIT_EVENT_TYPE));
  const auditOwners = createSubscribedOwners(() => store.listOwners((type) => type === AUDIT_EVENT_TYPE));
  const reload = async (): Promise<void> => void (await Promise.all([owners.reload(), auditOwners.reload()]));
  await db.listen(SUBSCRIPTION_CHANNEL, () => {
    reload().catch((error: unknown) => report(error, "reading the owners of event subscriptions"));
  });
  await reload();
  const subscriptions = createEventSubscriptions({
    store,
    outbox,
    box,
    clock,
    serviceUrl,
    requireWorkflow: workflows.get,
    async onChanged() {
      await reload();
      db.notify(SUBSCRIPTION_CHANNEL, "");
    },
  });
  outbox.handle(EVENT_KIND, { find: subscriptions.receiver, disable: subscriptions.disable });
  const loop = createDispatchLoop({
    events: createRunEventStore(db),
    subscriptions: store,
    outbox,
    notifications,
    clock,
    serviceUrl,
    onError: report,
  });
  return {
    eventOwners: owners,
    async auditSubscriptions(ownerId) {
      if (!auditOwners.has(ownerId)) return [];
      const active = await store.listActive([ownerId]);
      return active.filter(({ types }) => types.includes(AUDIT_EVENT_TYPE));
    },
    routes: (http) => eventSubscriptionRoutes(http, subscriptions),
    start() {
      void db
        .listen(RUN_EVENT_CHANNEL, loop.poll)
        .catch((error: unknown) => report(error, "listening for events"));
      loop.poll();
    },
    async stopOwner(ownerId, batches) {
      await batches.deleteAll((limit) => deleteOwned(db, "event_subscription", ownerId, limit));
      await reload();
      db.notify(SUBSCRIPTION_CHANNEL, "");
    },
    // Events that the loop has not read yet.
    eraseOwner: (ownerId, batches) =>
      batches.deleteAll((limit) => deleteOwned(db, "run_event", ownerId, limit)),
    stop: loop.close,
  };
}
