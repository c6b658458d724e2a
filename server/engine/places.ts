import { unavailable } from "../lib/errors.ts";

/** How many tasks this process works on at once. A place is held from before a task is written until it has begun. */
export interface Places {
  /** Undefined when all are taken; `always` takes one regardless. Throws when the process is stopping. */
  take(always: boolean): { free(): void } | undefined;
  /** How many more tasks could be worked on. */
  left(): number;
  /** Something waits for want of a place. */
  readonly wanted: boolean;
  want(): void;
  /** Whatever waited is about to be looked for. */
  satisfy(): void;
  readonly closed: boolean;
  close(): void;
}

export function createPlaces(limit: number, running: () => number): Places {
  let arriving = 0;
  let wanted = false;
  let closed = false;
  const left = (): number => limit - running() - arriving;
  return {
    left,
    take(always) {
      if (closed) throw unavailable("The service is stopping and takes no new work.");
      if (left() <= 0 && !always) return undefined;
      arriving += 1;
      return {
        free: () => {
          arriving -= 1;
        },
      };
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
