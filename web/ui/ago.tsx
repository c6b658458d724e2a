import { useSyncExternalStore } from "react";
import { ago, moment } from "./time.ts";

const TICK_MS = 10_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

/** One clock for all times on the screen; it stands still while nobody looks at it. */
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

/** How long ago something was, kept true while it is on the screen; the exact moment shows when pointed at. */
export function Ago({ at }: { at: string }) {
  const seen = useSyncExternalStore(subscribe, () => now);
  return (
    <time className="nowrap" dateTime={at} title={moment(at)}>
      {ago(at, seen)}
    </time>
  );
}
