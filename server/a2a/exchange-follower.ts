import { createLogFollower } from "../lib/log-follower.ts";
import type { RoomSignals } from "../teams/room-signals.ts";
import type { MessageRecord, SessionRecord } from "../teams/session-record.ts";
import { type Exchange, startsExchange } from "./exchange-view.ts";

export interface ExchangeFollowerDeps {
  log(sessionId: string, after: number, limit: number): Promise<MessageRecord[]>;
  readSession(sessionId: string): Promise<SessionRecord>;
  signals: RoomSignals;
}

/** A signal lost between processes only delays: the log is read again after this long in any case. */
const POLL_MS = 2000;

/**
 * Yields the exchange whenever it may have changed, until `stop`. If the session has ended, the yielded exchange is
 * complete: the session's row is read first and the log after it.
 */
export async function* followExchange(
  { log, readSession, signals }: ExchangeFollowerDeps,
  { session: { id: sessionId }, entries, closed: isClosed }: Exchange,
  stop: AbortSignal,
): AsyncGenerator<Exchange, void, undefined> {
  const exchange = { entries: [...entries], closed: isClosed };
  let failure: { error: unknown } | undefined;
  let hasChanged = false;
  let wake: () => void = () => undefined;
  const changed = (): void => {
    hasChanged = true;
    wake();
  };
  const follower = createLogFollower<MessageRecord>({
    after: entries.at(-1)?.seq ?? 0,
    read: (after, limit) => log(sessionId, after, limit),
    deliver(entry) {
      if (startsExchange(entry)) exchange.closed = true;
      if (!exchange.closed) exchange.entries.push(entry);
    },
    onCaughtUp: changed,
    onError(error) {
      failure = { error };
      changed();
    },
    pollMs: POLL_MS,
  });
  const unsubscribe = signals.subscribe((signal) => {
    const isRelevant =
      signal.kind === "missed" ||
      ((signal.kind === "grown" || signal.kind === "status") && signal.sessionId === sessionId);
    if (isRelevant) follower.hint();
  });
  stop.addEventListener("abort", changed, { once: true });
  try {
    follower.hint();
    for (;;) {
      if (!hasChanged && !stop.aborted) await new Promise<void>((resolve) => (wake = resolve));
      hasChanged = false;
      if (stop.aborted) return;
      const session = await readSession(sessionId);
      if (session.status !== "waiting" && session.status !== "active") {
        follower.hint();
        await follower.caughtUp();
      }
      if (failure !== undefined) throw failure.error;
      yield { session, ...exchange };
    }
  } finally {
    unsubscribe();
    stop.removeEventListener("abort", changed);
    follower.close();
  }
}
