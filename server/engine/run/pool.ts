import type { Clock } from "../../lib/clock.ts";
import type { Stop } from "./stop.ts";

export type WorkEnd = { kind: "done" } | { kind: "failed" } | Waiting;

export interface Waiting {
  kind: "waiting";
  /** When to run it again; null when only `wake` does. */
  due: number | null;
  /** It waits for a person. */
  forApproval?: boolean;
}

/** `waiting` sums up the items that wait at the end: the earliest `due`, and whether one waits for a person. */
export type PoolEnd =
  | { kind: "done" }
  | { kind: "failed" }
  | { kind: "waiting"; due: number | null; forApproval: boolean };

export interface Pool<T> {
  add(items: readonly T[]): void;
  /** Runs every waiting item again. */
  wake(): void;
  /** Resolves when nothing is in flight and nothing can start. */
  readonly end: Promise<PoolEnd>;
}

export interface PoolOptions<T> {
  limit: number;
  /** A waiting iteration of a foreach keeps its slot, so that no more than `limit` iterations are open. */
  waitingHoldsSlot: boolean;
  clock: Clock;
  /** Once it is aborted, an error ends the pool without waiting for the items in flight. */
  stop: Pick<Stop, "aborted">;
  /** Returns the end itself when the work is done at once. */
  work(item: T): WorkEnd | Promise<WorkEnd>;
  /** The first item threw; the pool ends with its error. */
  onError(): void;
}

/** A longer wait is checked again after a minute; the clock may have been set in between. */
const MAX_SLEEP_MS = 60_000;

/**
 * Runs items concurrently, at most `limit` of them. After the first failure or error it starts no more items and lets
 * those in flight end, since they may have had effects that must be recorded. While an item is in flight, a waiting one that becomes due runs again. When none is, the pool ends and the
 * caller parks the task.
 */
export function createPool<T>({
  limit,
  waitingHoldsSlot,
  clock,
  stop,
  work,
  onError,
}: PoolOptions<T>): Pool<T> {
  const queue: T[] = [];
  let head = 0;
  // Items that have run before go first: a waiting iteration must not lose its slot to one that has not started.
  const begun: T[] = [];
  let inFlight = 0;
  let failed = false;
  let thrown: { error: unknown } | undefined;
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
    while (!failed && begun.length > 0 && hasSlot()) start(begun.shift()!);
    while (!failed && head < queue.length && hasSlot()) start(queue[head++]!);
    if (inFlight === 0) finish();
    else setTimer();
  }

  function hasSlot(): boolean {
    return inFlight + (waitingHoldsSlot ? waiting.length : 0) < limit;
  }

  function start(item: T): void {
    const wakesBefore = wakes;
    inFlight += 1;
    let end: WorkEnd | Promise<WorkEnd>;
    try {
      end = work(item);
    } catch (error) {
      return fail(error);
    }
    if (end instanceof Promise) end.then((outcome) => settle(item, outcome, wakesBefore), fail);
    else settle(item, end, wakesBefore);
  }

  function fail(error: unknown): void {
    inFlight -= 1;
    failed = true;
    if (thrown === undefined) onError();
    thrown ??= { error };
    if (stop.aborted) finish();
    else pump();
  }

  function settle(item: T, outcome: WorkEnd, wakesBefore: number): void {
    inFlight -= 1;
    if (outcome.kind === "failed") failed = true;
    if (outcome.kind === "waiting") {
      // A wake arrived while this item ran, perhaps after it checked: it runs once more.
      if (wakesBefore === wakes) waiting.push({ item, end: outcome });
      else begun.push(item);
    }
    pump();
  }

  function finish(): void {
    ended = true;
    clearTimeout(timer);
    if (thrown !== undefined) rejectEnd(thrown.error);
    else if (failed) resolveEnd({ kind: "failed" });
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
    const delay = Math.min(MAX_SLEEP_MS, Math.max(0, due - clock.now()));
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
