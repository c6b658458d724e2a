import type { RoomSignals } from "../teams/room-signals.ts";

/** A signal that is lost between processes only delays: the rows are read again after so long in any case. */
const REREAD_MS = 2000;

export interface Changes {
  /** True when there may be something new; false when it was ended. What happened since the last call counts. */
  next(): Promise<boolean>;
  close(): void;
}

/** Listens before the first read, so that nothing falls between. */
export function createChanges(signals: RoomSignals, sessionId: string, ended: AbortSignal): Changes {
  let pending = false;
  let wake: () => void = () => undefined;
  const unsubscribe = signals.subscribe((signal) => {
    const concernsIt =
      signal.kind === "missed" ||
      ((signal.kind === "grown" || signal.kind === "status") && signal.sessionId === sessionId);
    if (!concernsIt) return;
    pending = true;
    wake();
  });
  const onEnd = (): void => wake();
  ended.addEventListener("abort", onEnd, { once: true });

  return {
    async next() {
      if (!pending && !ended.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, REREAD_MS).unref();
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      pending = false;
      return !ended.aborted;
    },
    close() {
      unsubscribe();
      ended.removeEventListener("abort", onEnd);
    },
  };
}
