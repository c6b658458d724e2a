import { AppError } from "../lib/errors.ts";
import type { NewOutboxDelivery } from "../outbox/outbox-delivery.sql.ts";
import type { AuditStore, ChainedEvent, ChainHead } from "./audit-event.sql.ts";
import { FIRST_HASH, hashOf, INSTANCE_CHAIN, type NewEvent } from "./chain.ts";

export interface AuditLog {
  /** Durable when it resolves. */
  append(chain: string, event: NewEvent): Promise<void>;
}

export interface AuditLogDeps {
  store: Pick<AuditStore, "begin" | "append">;
  /** Messages to subscribers, which are stored together with the events. */
  messagesOf?(chain: string, events: readonly ChainedEvent[]): Promise<readonly NewOutboxDelivery[]>;
  /** Messages were stored. */
  onMessages?(): void;
}

interface Waiting {
  event: NewEvent;
  resolve(): void;
  reject(error: unknown): void;
}

const EVENTS_PER_WRITE = 100;
/** Each lost round means that another process has appended. */
const MAX_ROUNDS = 1000;

/** Appends events to chains. Those of one chain that arrive together are one write. */
export function createAuditLog({ store, messagesOf, onMessages }: AuditLogDeps): AuditLog {
  const heads = new Map<string, Pick<ChainHead, "sequence" | "hash">>();
  const queues = new Map<string, Waiting[]>();

  async function work(chain: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      const some = queue.splice(0, EVENTS_PER_WRITE);
      try {
        await write(
          chain,
          some.map(({ event }) => event),
        );
        for (const { resolve } of some) resolve();
      } catch (error) {
        heads.delete(chain);
        for (const { reject } of some) reject(error);
      }
    }
    queues.delete(chain);
    // The chain of a workspace that nobody changes needs no memory.
    if (chain !== INSTANCE_CHAIN) heads.delete(chain);
  }

  async function write(chain: string, events: readonly NewEvent[]): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const head = heads.get(chain) ?? (await store.begin(chain));
      // The workspace was deleted during the request: the instance keeps the record.
      if (head === undefined)
        return void (await Promise.all(events.map((event) => append(INSTANCE_CHAIN, event))));
      const chained = chainUp(chain, head, events);
      const messages = (await messagesOf?.(chain, chained)) ?? [];
      if (await store.append(chain, head, chained, messages)) {
        heads.set(chain, chained.at(-1)!);
        if (messages.length > 0) onMessages?.();
        return;
      }
      heads.delete(chain);
    }
    throw new AppError("unavailable", "The audit log is busy. Try again.");
  }

  function append(chain: string, event: NewEvent): Promise<void> {
    return new Promise((resolve, reject) => {
      const queue = queues.get(chain);
      if (queue !== undefined) return void queue.push({ event, resolve, reject });
      const own = [{ event, resolve, reject }];
      queues.set(chain, own);
      void work(chain, own);
    });
  }

  return { append };
}

function chainUp(
  chain: string,
  { sequence, hash }: Pick<ChainHead, "sequence" | "hash">,
  events: readonly NewEvent[],
): ChainedEvent[] {
  let previousHash = sequence === 0 ? FIRST_HASH : hash;
  return events.map((event, index) => {
    const numbered = { ...event, sequence: sequence + index + 1 };
    const chained = { ...numbered, previousHash, hash: hashOf(chain, numbered, previousHash) };
    previousHash = chained.hash;
    return chained;
  });
}
