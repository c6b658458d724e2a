import type { Accepted, EngineStore, NewTask, RunWrite } from "../store.ts";

/**
 * A task whose run begins before it is stored. Steps that only compute go ahead, and what they come to is stored with
 * the task in one write; whatever is done to the world waits until that write is durable. A call that only computes so
 * costs one transaction, not one for the task and another for its end.
 */
export interface OptimisticStart {
  /** How it went, for whoever asked for the task. */
  accepted: Promise<Accepted>;
  /** Whether the task is there, and this one's. Never rejects. */
  stored: Promise<boolean>;
  /** Who comes with a key comes again by himself, also when the run takes the process down: then its lives are counted. */
  isStoredFirst: boolean;
  /** A write of the run: the first one takes the task along. */
  write(write: Omit<RunWrite, "task">): Promise<boolean>;
}

export function createOptimisticStart(
  store: Pick<EngineStore, "accept" | "record">,
  task: NewTask,
): OptimisticStart {
  let isSent = false;
  let begin: (accepting: Promise<Accepted>) => void = () => undefined;
  const accepted = new Promise<Accepted>((resolve) => (begin = resolve));
  const stored = accepted.then(
    ({ inserted }) => inserted,
    () => false,
  );

  function send(first?: Omit<RunWrite, "task">): Promise<boolean> {
    isSent = true;
    clearImmediate(endOfTurn);
    begin(store.accept(task, first));
    return stored;
  }
  // However long the run takes for its first write: the caller does not wait for more than this turn's.
  const endOfTurn = setImmediate(() => void send());
  const isStoredFirst = task.idempotency !== undefined;
  if (isStoredFirst) void send();

  return {
    accepted,
    stored,
    isStoredFirst,
    write: async (write) => (isSent ? (await stored) && store.record({ task, ...write }) : send(write)),
  };
}
