import type { Part, Platform } from "../platform/part.ts";
import { deleteOwned } from "../storage/delete-owned.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import { createOutboxStore, type OutboxStore } from "./outbox-delivery.sql.ts";

export interface OutboxPart extends Part {
  outbox: Outbox;
  prune: OutboxStore["prune"];
}

const CHANNEL = "outbox";

/** The queue of messages to addresses of users; the features that send them have the routes. */
export function createOutboxPart({ clock, db, egress, metrics, report, tracing }: Platform): OutboxPart {
  const store = createOutboxStore(db);
  let isStarted = false;
  const outbox = createOutbox({
    store,
    clock,
    egress,
    tracing,
    notify() {
      // At once in this process: it may not listen yet.
      if (isStarted) outbox.poll();
      db.notify(CHANNEL, "");
    },
    onError: report,
    onAttempt: metrics.deliveries.attempted,
  });
  return {
    outbox,
    prune: store.prune,
    start() {
      isStarted = true;
      void db
        .listen(CHANNEL, outbox.poll)
        .catch((error: unknown) => report(error, "listening for webhook messages"));
      outbox.poll();
    },
    stopOwner: (ownerId, batches) =>
      batches.deleteAll((limit) => deleteOwned(db, "outbox_delivery", ownerId, limit)),
    stop: outbox.close,
  };
}
