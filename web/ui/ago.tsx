import { useSyncExternalStore } from "react";
import { ago, dateTime } from "./time.ts";

const TICK_MS = 10_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

/** One timer for every relative time on the screen; it stops when none is mounted. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    now = Date.now();
    timer = setInterval(tick, TICK_MS);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** A relative time that updates itself; the tooltip shows the exact one. */
export function Ago({ at }: { at: string }) {
  const current = useSyncExternalStore(subscribe, () => now);
  return (
    <time className="nowrap" dateTime={at} title={dateTime(at)}>
      {ago(at, current)}
    </time>
  );
}
