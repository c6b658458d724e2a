import { createLogFollower, type LogFollower } from "../../lib/log-follower.ts";
import type { Engine, TaskEvent } from "../engine-api.ts";
import type { EntryHead } from "../journal/journal-entry.ts";
import type { EngineStore } from "../store.ts";

export type TaskEvents = Pick<Engine, "watch"> & {
  publish(taskId: string, event: TaskEvent): void;
  /** A peer may have written to these tasks: their subscribers receive what is new in the journal. */
  readOn(taskIds: readonly string[] | "any"): void;
};

interface Subscription {
  listeners: Set<(event: TaskEvent) => void>;
  journal: LogFollower<EntryHead>;
  stopWatching(): void;
}

/** Events for subscribers in this process. All subscribers of a task share one reader of its journal. */
export function createTaskEvents(
  store: Pick<EngineStore, "heads" | "lastSeq">,
  onError: (error: unknown) => void,
  /** Makes peers that run the task send hints. */
  watchPeers: (taskId: string) => () => void = () => () => undefined,
): TaskEvents {
  const subscriptions = new Map<string, Subscription>();

  /** A listener that throws affects neither the other listeners nor the run that publishes the event. */
  function deliver(listeners: Subscription["listeners"], event: TaskEvent): void {
    for (const listener of listeners) {
      try {
        listener(event);
      } catch (error) {
        onError(error);
      }
    }
  }

  function subscribe(taskId: string): Subscription {
    const listeners: Subscription["listeners"] = new Set();
    const journal = createLogFollower<EntryHead>({
      after: store.lastSeq(taskId),
      read: (after, limit) => store.heads(taskId, after, limit),
      deliver: (entry) => deliver(listeners, { seq: entry.seq, entry }),
      onError,
      // A subscriber that sees the gap reads the journal itself.
      skipsUnreadable: true,
    });
    const subscription = { listeners, journal, stopWatching: watchPeers(taskId) };
    subscriptions.set(taskId, subscription);
    return subscription;
  }

  return {
    publish(taskId, event) {
      const subscription = subscriptions.get(taskId);
      if (subscription === undefined) return;
      if (event.seq !== null) subscription.journal.push(event.entry);
      else deliver(subscription.listeners, event);
    },
    readOn(taskIds) {
      for (const taskId of taskIds === "any" ? subscriptions.keys() : taskIds)
        subscriptions.get(taskId)?.journal.hint();
    },
    watch(taskId, listener) {
      const subscription = subscriptions.get(taskId) ?? subscribe(taskId);
      subscription.listeners.add(listener);
      return () => {
        subscription.listeners.delete(listener);
        if (subscription.listeners.size > 0) return;
        subscription.stopWatching();
        subscription.journal.close();
        if (subscriptions.get(taskId) === subscription) subscriptions.delete(taskId);
      };
    },
  };
}
