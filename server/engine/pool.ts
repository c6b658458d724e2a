import type { Clock } from "../lib/clock.ts";

export type WorkEnd =
  | { kind: "done" }
  | { kind: "failed" }
  /** Nothing to do before `due`, or, without one, before somebody wakes the pool. */
  | { kind: "waiting"; due: number | null };

export type PoolEnd = "done" | "failed" | "waiting";

export interface Pool<T> {
  add(items: readonly T[]): void;
  /** Looks again at everything that waits. */
  wake(): void;
  /** Resolves when nothing is in flight and nothing can start. */
  readonly end: Promise<PoolEnd>;
}

export interface PoolOptions<T> {
  limit: number;
  /** A round of a foreach that waits keeps its place: at most `limit` of them are ever begun. */
  waitingHoldsPlace: boolean;
  clock: Clock;
  work(item: T): Promise<WorkEnd>;
}

/** setTimeout takes 31 bits; whatever is later than this is picked up from the database. */
const LONGEST_TIMER_MS = 60_000;

/**
 * Runs items side by side, at most `limit` of them. The first failure lets what is in flight end and starts
 * nothing more. While something is in flight, a wait that becomes due is taken up again; when nothing is, the
 * pool ends and leaves the waiting to the database.
 */
export function createPool<T>({ limit, waitingHoldsPlace, clock, work }: PoolOptions<T>): Pool<T> {
  const queue: T[] = [];
  let head = 0;
  let inFlight = 0;
  let failed = false;
  let ended = false;
  let waiting: { item: T; due: number | null }[] = [];
  let timer: NodeJS.Timeout | undefined;
  let resolveEnd: (end: PoolEnd) => void;
  let rejectEnd: (reason: unknown) => void;
  const end = new Promise<PoolEnd>((resolve, reject) => {
    resolveEnd = resolve;
    rejectEnd = reject;
  });

  function pump(): void {
    if (ended) return;
    while (!failed && head < queue.length && inFlight + (waitingHoldsPlace ? waiting.length : 0) < limit) {
      const item = queue[head++]!;
      inFlight += 1;
      work(item).then(
        (outcome) => settle(item, outcome),
        (error: unknown) => {
          ended = true;
          clearTimeout(timer);
          rejectEnd(error);
        },
      );
    }
    if (inFlight === 0) finish();
    else setTimer();
  }

  function settle(item: T, outcome: WorkEnd): void {
    inFlight -= 1;
    if (outcome.kind === "failed") failed = true;
    if (outcome.kind === "waiting") waiting.push({ item, due: outcome.due });
    pump();
  }

  function finish(): void {
    ended = true;
    clearTimeout(timer);
    resolveEnd(failed ? "failed" : waiting.length > 0 ? "waiting" : "done");
  }

  function setTimer(): void {
    clearTimeout(timer);
    const dues = waiting.flatMap(({ due }) => due ?? []);
    if (dues.length === 0) return;
    const delay = Math.min(LONGEST_TIMER_MS, Math.max(0, Math.min(...dues) - clock.now()));
    timer = setTimeout(() => requeue(({ due }) => due !== null && due <= clock.now()), delay);
  }

  function requeue(which: (entry: { due: number | null }) => boolean): void {
    const again = waiting.filter(which);
    waiting = waiting.filter((entry) => !again.includes(entry));
    queue.push(...again.map(({ item }) => item));
    pump();
  }

  return {
    add(items) {
      for (const item of items) queue.push(item);
      pump();
    },
    wake: () => {
      if (!ended) requeue(() => true);
    },
    end,
  };
}
