import type { PageQuery } from "../../contract/api.ts";
import type { DueLoop } from "../engine/worker/due-loop.ts";
import type { Clock } from "../lib/clock.ts";
import type { ResultPage } from "../lib/result-page.ts";
import { createAttempt, type AttemptDeps, type Receiver } from "./attempt.ts";
import { createFairDueLoop } from "./fair-due-loop.ts";
import type { Tracing } from "../telemetry/tracing.ts";
import { traceAttempts } from "./traced-attempt.ts";
import type { NewOutboxDelivery, OutboxDelivery, OutboxStore } from "./outbox-delivery.sql.ts";

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
  /** For metrics: an attempt has ended and is recorded. */
  onAttempt?(kind: string, outcome: "delivered" | "retry" | "failed"): void;
  /** Undefined while tracing is off. */
  tracing?: Tracing | undefined;
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
  list(kind: string, targetId: string, page: PageQuery): Promise<ResultPage<OutboxDelivery>>;
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
  onAttempt,
  tracing,
  slots = SLOTS,
  slotsPerOwner = SLOTS_PER_OWNER,
}: OutboxDeps): Outbox {
  const receivers = new Map<string, Receivers>();
  const stopping = new AbortController();

  const receiversOf = ({ kind }: OutboxDelivery): Receivers => {
    const found = receivers.get(kind);
    if (found === undefined) throw new Error(`no part sends messages of kind ${kind}`);
    return found;
  };
  const send = createAttempt({
    egress,
    clock,
    ...(random && { random }),
    findReceiver: async (delivery) => receiversOf(delivery).find(delivery.targetId, delivery.ownerId),
    disableReceiver: (delivery) => receiversOf(delivery).disable(delivery.targetId, delivery.ownerId),
  });

  const attempt = tracing === undefined ? send : traceAttempts(tracing, send);

  async function deliver(delivery: OutboxDelivery): Promise<void> {
    try {
      const outcome = await attempt(delivery, stopping.signal);
      await store.record(delivery, outcome);
      onAttempt?.(delivery.kind, outcome.status === "pending" ? "retry" : outcome.status);
    } catch (error) {
      if (!stopping.signal.aborted) throw error;
      await store.release(delivery, clock.now());
    }
  }

  const loop = createFairDueLoop({
    store,
    work: deliver,
    clock,
    slots,
    slotsPerOwner,
    what: "sending webhook messages",
    onError,
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
      stopping.abort();
      await loop.close();
    },
  };
}
