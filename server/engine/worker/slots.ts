import { unavailable } from "../../lib/errors.ts";

/** How many tasks of a lane this process runs at once. A run takes its slot when it starts. */
export interface Slots {
  /** Whether one more task may start; `always` ignores the limit. Throws `unavailable` while the process is stopping. */
  canStart(always: boolean): boolean;
  /** Negative when tasks that ignore the limit exceed it. */
  free(): number;
  /** Reserves up to `wanted` free slots for tasks being claimed, so that tasks accepted meanwhile cannot take them. */
  reserve(wanted: number): { count: number; release(): void };
  /** True while a task is queued because no slot was free. */
  readonly markedFull: boolean;
  markFull(): void;
  /** Call before polling: a task queued during the poll marks the slots full again. */
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
      if (closed) throw unavailable("The service is stopping and accepts no new work. Try again shortly.");
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
