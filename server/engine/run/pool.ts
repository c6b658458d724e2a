import type { Clock } from "../../lib/clock.ts";

export type WorkEnd = { kind: "done" } | { kind: "failed" } | Waiting;

export interface Waiting {
  kind: "waiting";
  /** Nothing to do before this time, or, without one, before somebody wakes the pool. */
  due: number | null;
  /** It is a person that is waited for. */
  forApproval?: boolean;
}

/** `waiting` sums up what waits at the end: the earliest time, and whether a person is among it. */
export type PoolEnd =
  | { kind: "done" }
  | { kind: "failed" }
  | { kind: "waiting"; due: number | null; forApproval: boolean };

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
  // What has begun before goes first: a round that waited must not give its place to one that has not begun.
  const begun: T[] = [];
  let inFlight = 0;
  let failed = false;
  let ended = false;
  let wakes = 0;
  let waiting: { item: T; end: Waiting }[] = [];
  let timer: NodeJS.Timeout | undefined;
  let resolveEnd: (end: PoolEnd) => void;
  let rejectEnd: (reason: unknown) => void;
  const end = new Promise<PoolEnd>((resolve, reject) => {
    resolveEnd = resolve;
    rejectEnd = reject;
  });

  function pump(): void {
    if (ended) return;
    while (!failed && begun.length > 0 && hasPlace()) start(begun.shift()!);
    while (!failed && head < queue.length && hasPlace()) start(queue[head++]!);
    if (inFlight === 0) finish();
    else setTimer();
  }

  function hasPlace(): boolean {
    return inFlight + (waitingHoldsPlace ? waiting.length : 0) < limit;
  }

  function start(item: T): void {
    const wakesBefore = wakes;
    inFlight += 1;
    work(item).then(
      (outcome) => settle(item, outcome, wakesBefore),
      (error: unknown) => {
        ended = true;
        clearTimeout(timer);
        rejectEnd(error);
      },
    );
  }

  function settle(item: T, outcome: WorkEnd, wakesBefore: number): void {
    inFlight -= 1;
    if (outcome.kind === "failed") failed = true;
    if (outcome.kind === "waiting") {
      // Whoever woke us meanwhile may have meant this item, which had looked before: it looks once more.
      if (wakesBefore === wakes) waiting.push({ item, end: outcome });
      else begun.push(item);
    }
    pump();
  }

  function finish(): void {
    ended = true;
    clearTimeout(timer);
    if (failed) resolveEnd({ kind: "failed" });
    else if (waiting.length === 0) resolveEnd({ kind: "done" });
    else {
      const forApproval = waiting.some((entry) => entry.end.forApproval === true);
      resolveEnd({ kind: "waiting", due: earliestDue(), forApproval });
    }
  }

  function setTimer(): void {
    clearTimeout(timer);
    const due = earliestDue();
    if (due === null) return;
    const delay = Math.min(LONGEST_TIMER_MS, Math.max(0, due - clock.now()));
    timer = setTimeout(() => requeue((end) => end.due !== null && end.due <= clock.now()), delay);
  }

  function earliestDue(): number | null {
    let earliest: number | null = null;
    for (const { end } of waiting) {
      if (end.due !== null && (earliest === null || end.due < earliest)) earliest = end.due;
    }
    return earliest;
  }

  function requeue(which: (end: Waiting) => boolean): void {
    const still: typeof waiting = [];
    for (const entry of waiting) {
      if (which(entry.end)) begun.push(entry.item);
      else still.push(entry);
    }
    waiting = still;
    pump();
  }

  return {
    add(items) {
      for (const item of items) queue.push(item);
      pump();
    },
    wake: () => {
      wakes += 1;
      if (!ended) requeue(() => true);
    },
    end,
  };
}
