import type { Accepted, EngineStore, NewTask, RunWrite } from "../store.ts";

/**
 * A run that starts before its task is stored. Pure steps execute at once, and their results are stored with the task in
 * one write; every side effect waits until that write is durable. A call of pure steps so costs one transaction instead
 * of two.
 */
export interface OptimisticStart {
  /** Result of the insert, for the caller. */
  accepted: Promise<Accepted>;
  /** True when this start inserted the task. Never rejects. */
  stored: Promise<boolean>;
  /** With an idempotency key the client retries even if the run crashes the process: the row must exist to count crashes. */
  isStoredFirst: boolean;
  /** A write of the run; the first one carries the task's insert. */
  write(write: Omit<RunWrite, "task">): Promise<boolean>;
}

export function createOptimisticStart(
  store: Pick<EngineStore, "accept" | "record">,
  task: NewTask,
): OptimisticStart {
  let isSent = false;
  let isStored = false;
  let begin: (accepting: Promise<Accepted>) => void = () => undefined;
  const accepted = new Promise<Accepted>((resolve) => (begin = resolve));
  const stored = accepted.then(
    ({ inserted }) => (isStored = inserted),
    () => false,
  );

  function send(first?: Omit<RunWrite, "task">): Promise<boolean> {
    isSent = true;
    clearImmediate(endOfTurn);
    begin(store.accept(task, first));
    return stored;
  }
  // The caller waits at most one turn of the event loop, however late the run's first write is.
  const endOfTurn = setImmediate(() => void send());
  const isStoredFirst = task.idempotency !== undefined;
  if (isStoredFirst) void send();

  return {
    accepted,
    stored,
    isStoredFirst,
    write(write) {
      if (!isSent) return send(write);
      const record = (): Promise<boolean> => store.record({ task, ...write });
      return isStored ? record() : stored.then((inserted) => inserted && record());
    },
  };
}
