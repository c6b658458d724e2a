import { unavailable } from "../../lib/errors.ts";

/** How many tasks this process works on at once. A place is taken by whoever begins to work. */
export interface Slots {
  /** Whether one more may begin; `always` regardless of how many there are. Throws when the process is stopping. */
  canStart(always: boolean): boolean;
  /** How many more tasks could be worked on. */
  free(): number;
  /** Keeps up to so many of them for what is being fetched: whoever comes meanwhile finds them taken. */
  reserve(count: number): { count: number; release(): void };
  /** Something waits for markFull of a place. */
  readonly markedFull: boolean;
  markFull(): void;
  /** Whatever waited is about to be looked for. */
  clearFull(): void;
  readonly closed: boolean;
  close(): void;
}

export function createSlots(limit: number, running: () => number): Slots {
  let markedFull = false;
  let closed = false;
  let reserved = 0;
  const free = (): number => limit - running() - reserved;
  return {
    free,
    reserve(wanted) {
      const count = Math.max(0, Math.min(wanted, free()));
      reserved += count;
      return { count, release: () => void (reserved -= count) };
    },
    canStart(always) {
      if (closed) throw unavailable("The service is stopping and takes no new work.");
      return always || free() > 0;
    },
    get markedFull() {
      return markedFull;
    },
    markFull() {
      markedFull = true;
    },
    clearFull() {
      markedFull = false;
    },
    get closed() {
      return closed;
    },
    close() {
      closed = true;
    },
  };
}
