import { setImmediate as nextTurn } from "node:timers/promises";

/** Work in parts: it may stop after each `yield`. */
export type PartedWork<T> = Generator<undefined, T, undefined>;

const TURN_MS = 8;

/** The event loop belongs to all: with forty jobs, a part of each in every turn would block it for a third of a second. */
let lastTurn: Promise<void> = Promise.resolve();

/** Resolves in a turn of the event loop that no other job has a part in, in the order of the calls. */
export function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => nextTurn());
  return lastTurn;
}

/** Does the parts in short turns of the event loop, so that others are served in between. */
export async function inTurns<T>(work: PartedWork<T>, signal?: AbortSignal): Promise<T> {
  let startedAt = performance.now();
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
    if (performance.now() - startedAt < TURN_MS) continue;
    await ownTurn();
    signal?.throwIfAborted();
    startedAt = performance.now();
  }
}

/** For work between awaits: the returned function lets others be served when this turn has taken long. */
export function createPauses(): () => Promise<void> {
  let startedAt = performance.now();
  return async () => {
    if (performance.now() - startedAt < TURN_MS) return;
    await ownTurn();
    startedAt = performance.now();
  };
}

export function atOnce<T>(work: PartedWork<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}
