export interface TimeLimit {
  /** Resolves, with nothing, when the time is over or the signal was aborted. */
  reached: Promise<undefined>;
  isOver(): boolean;
  clear(): void;
}

/** For races: unlike a bare timer it can be cleared when another has won. */
export function createTimeLimit(ms: number, signal?: AbortSignal): TimeLimit {
  let over = signal?.aborted === true;
  let finish = (): void => undefined;
  const reached = new Promise<undefined>((resolve) => {
    finish = () => {
      over = true;
      resolve(undefined);
    };
  });
  const timer = setTimeout(finish, ms);
  signal?.addEventListener("abort", finish, { once: true });
  if (over) finish();
  return {
    reached,
    isOver: () => over,
    clear() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", finish);
    },
  };
}
