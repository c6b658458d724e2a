import type { MessageHead } from "../session-record.ts";
import type { RoomSignals } from "../room-signals.ts";
import type { RequestedTurn } from "./next-action.ts";

export interface ExternalTurnsDeps {
  sessionId: string;
  signals: RoomSignals;
  heads(): Promise<readonly MessageHead[]>;
  /** The turns of external agents that the log requests now. */
  requested(heads: readonly MessageHead[]): RequestedTurn[];
  /** Takes a turn and records it. */
  take(heads: readonly MessageHead[], turn: RequestedTurn): Promise<void>;
}

/**
 * Takes the turns of external agents while `work` continues: an internal agent may be busy for minutes, and a message to
 * an external one must not wait for it. Each agent has one turn at a time. Resolves when `work` and all turns have ended.
 */
export async function withExternalTurns<T>(
  { sessionId, signals, heads, requested, take }: ExternalTurnsDeps,
  work: Promise<T>,
): Promise<T> {
  const inProgress = new Map<string, Promise<void>>();
  const failures: unknown[] = [];
  let ended = 0;
  let isOpen = true;

  async function poll(): Promise<void> {
    for (let hasStarted = false; !hasStarted;) {
      const before = ended;
      const log = await heads();
      if (!isOpen) return;
      // A turn that ended during the read may be missing in it, and would be taken twice.
      if (before !== ended) continue;
      for (const turn of requested(log)) if (!inProgress.has(turn.member.id)) begin(log, turn);
      hasStarted = true;
    }
  }

  function begin(log: readonly MessageHead[], turn: RequestedTurn): void {
    const { id } = turn.member;
    const running = take(log, turn)
      .finally(() => {
        ended += 1;
        inProgress.delete(id);
      })
      .then(poll)
      .catch((error: unknown) => void failures.push(error));
    inProgress.set(id, running);
  }

  const pollSafely = () => poll().catch((error: unknown) => void failures.push(error));
  const unsubscribe = signals.subscribe((signal) => {
    if (signal.kind === "missed" || (signal.kind === "grown" && signal.sessionId === sessionId))
      void pollSafely();
  });
  void pollSafely();
  const [outcome] = await Promise.allSettled([work]);
  isOpen = false;
  unsubscribe();
  await Promise.all(inProgress.values());
  if (outcome.status === "rejected") throw outcome.reason;
  // A lost claim or a failed write: the caller decides, as for its own.
  if (failures.length > 0) throw failures[0];
  return outcome.value;
}
