import type { PageQuery } from "../../contract/api.ts";
import { createDueLoop, type DueLoop } from "../engine/worker/due-loop.ts";
import type { Clock } from "../lib/clock.ts";
import type { Page } from "../lib/page.ts";
import { createAttempt, type AttemptDeps, type Receiver } from "./attempt.ts";
import type { NewOutboxDelivery, OutboxDelivery, OutboxStore } from "./outbox-delivery.sql.ts";
import { shareSlots } from "./share-slots.ts";

/** How a feature finds the receivers of its messages. */
export interface Receivers {
  /** Undefined when the receiver was deleted or is switched off: its pending messages fail. */
  find(targetId: string, ownerId: string): Promise<Receiver | undefined>;
  /** The receiver has responded 410 Gone. */
  disable(targetId: string, ownerId: string): Promise<void>;
}

export interface OutboxDeps extends Pick<AttemptDeps, "egress" | "random"> {
  store: OutboxStore;
  clock: Clock;
  /** Tells every process that deliveries are due. */
  notify(): void;
  onError(error: unknown, what: string): void;
  slots?: number;
  slotsPerOwner?: number;
}

export interface Outbox extends DueLoop {
  /** Registers the receivers of a kind. */
  handle(kind: string, receivers: Receivers): void;
  /** Durable when it resolves. To store messages with the fact they report, put `insertDelivery` in its batch, then call `wake`. */
  enqueue(deliveries: readonly NewOutboxDelivery[]): Promise<void>;
  /** New deliveries were stored. */
  wake(): void;
  list(kind: string, targetId: string, page: PageQuery): Promise<Page<OutboxDelivery>>;
  resend(kind: string, targetId: string, id: string): Promise<OutboxDelivery | undefined>;
  removeSome(kind: string, targetId: string, limit: number): Promise<number>;
}

const SLOTS = 32;
const SLOTS_PER_OWNER = 4;

/**
 * Messages to addresses of users, sent at least once. A message is a row with a due time; a process claims it, makes one
 * attempt and records the outcome. After a crash the claim expires, and the same message, with the same id, is sent again.
 */
export function createOutbox({
  store,
  clock,
  egress,
  random,
  notify,
  onError,
  slots = SLOTS,
  slotsPerOwner = SLOTS_PER_OWNER,
}: OutboxDeps): Outbox {
  const receivers = new Map<string, Receivers>();
  const inFlight = new Map<string, number>();
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();

  const receiversOf = ({ kind }: OutboxDelivery): Receivers => {
    const found = receivers.get(kind);
    if (found === undefined) throw new Error(`no part sends messages of kind ${kind}`);
    return found;
  };
  const attempt = createAttempt({
    egress,
    clock,
    ...(random && { random }),
    findReceiver: async (delivery) => receiversOf(delivery).find(delivery.targetId, delivery.ownerId),
    disableReceiver: (delivery) => receiversOf(delivery).disable(delivery.targetId, delivery.ownerId),
  });

  async function deliver(delivery: OutboxDelivery): Promise<void> {
    try {
      await store.record(delivery, await attempt(delivery, stopping.signal));
    } catch (error) {
      if (!stopping.signal.aborted) throw error;
      await store.release(delivery, clock.now());
    }
  }

  function begin(delivery: OutboxDelivery): void {
    const { ownerId } = delivery;
    inFlight.set(ownerId, (inFlight.get(ownerId) ?? 0) + 1);
    const sending = deliver(delivery)
      // The claim expires, and the message is sent again.
      .catch((error: unknown) => onError(error, "sending a webhook message"))
      .finally(() => {
        running.delete(sending);
        const left = (inFlight.get(ownerId) ?? 1) - 1;
        if (left === 0) inFlight.delete(ownerId);
        else inFlight.set(ownerId, left);
        loop.poll();
      });
    running.add(sending);
  }

  const loop = createDueLoop({
    clock,
    async takeDue() {
      const owners = await store.dueOwners(clock.now());
      const free = slots - running.size;
      const shares = shareSlots(owners, { inFlight, free, perOwner: slotsPerOwner });
      const claimed = shares.length === 0 ? [] : await store.claim(shares, clock.now());
      claimed.forEach(begin);
      // With deliveries in flight, the end of each polls again.
      return owners.length > 0 && running.size > 0;
    },
    nextDue: store.nextDueAt,
    onError: (error) => onError(error, "claiming webhook messages"),
  });

  return {
    poll: loop.poll,
    handle: (kind, ofKind) => void receivers.set(kind, ofKind),
    wake: notify,
    async enqueue(deliveries) {
      if (deliveries.length === 0) return;
      await store.insert(deliveries, clock.now());
      notify();
    },
    list: store.list,
    async resend(kind, targetId, id) {
      const resent = await store.resend(kind, targetId, id, clock.now());
      if (resent !== undefined) notify();
      return resent;
    },
    removeSome: store.removeSome,
    async close() {
      await loop.close();
      stopping.abort();
      await Promise.all(running);
    },
  };
}
