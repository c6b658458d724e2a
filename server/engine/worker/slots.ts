import { unavailable } from "../../lib/errors.ts";

/** How many tasks this process works on at once. A place is taken by whoever begins to work. */
export interface Places {
  /** Whether one more may begin; `always` regardless of how many there are. Throws when the process is stopping. */
  has(always: boolean): boolean;
  /** How many more tasks could be worked on. */
  left(): number;
  /** Keeps up to so many of them for what is being fetched: whoever comes meanwhile finds them taken. */
  keep(count: number): { count: number; release(): void };
  /** Something waits for want of a place. */
  readonly wanted: boolean;
  want(): void;
  /** Whatever waited is about to be looked for. */
  satisfy(): void;
  readonly closed: boolean;
  close(): void;
}

export function createPlaces(limit: number, running: () => number): Places {
  let wanted = false;
  let closed = false;
  let kept = 0;
  const left = (): number => limit - running() - kept;
  return {
    left,
    keep(wished) {
      const count = Math.max(0, Math.min(wished, left()));
      kept += count;
      return { count, release: () => void (kept -= count) };
    },
    has(always) {
      if (closed) throw unavailable("The service is stopping and takes no new work.");
      return always || left() > 0;
    },
    get wanted() {
      return wanted;
    },
    want() {
      wanted = true;
    },
    satisfy() {
      wanted = false;
    },
    get closed() {
      return closed;
    },
    close() {
      closed = true;
    },
  };
}
