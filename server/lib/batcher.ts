/** An item that waits for its batch. `send` settles it; the first call of either function counts. */
export interface Pending<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(reason: unknown): void;
}

export interface BatcherOptions<Item, Result> {
  /** Sends a batch and settles each of its items. When it throws or rejects, the items that are still open are rejected. */
  send(batch: readonly Pending<Item, Result>[]): Promise<void>;
  /** How many batches may be in flight. With one, the default, items are sent in the order in which they were added. */
  concurrency?: number;
  /** When a batch may start beside others. Without it, at once. */
  beside?: {
    /** While the others have at most this many items together. Items that wait for a larger batch share the next one. */
    maxInFlight: number;
    /** Or after this time, because the others may be stuck. */
    maxWaitMs: number;
  };
  /** Waits for the end of the event loop's turn, so that every request that has already arrived joins the batch. */
  collectTurn: boolean;
}

export interface Batcher<Item, Result> {
  add(item: Item): Promise<Result>;
  /** Resolves when no item waits and no batch is in flight. */
  idle(): Promise<void>;
}

/** Items that are added while a batch is in flight wait, and are sent together as the next one. */
export function createBatcher<Item, Result>({
  send,
  concurrency = 1,
  beside,
  collectTurn,
}: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  let waiting: Pending<Item, Result>[] = [];
  let senders = 0;
  let inFlight = 0;
  let heldBack: NodeJS.Timeout | undefined;
  let idleWaiters: (() => void)[] = [];

  // Callbacks instead of async functions: every write of a run passes two or three batchers.
  function startSender(): void {
    if (senders >= concurrency) return;
    if (beside === undefined || inFlight <= beside.maxInFlight) addSender();
    else heldBack ??= setTimeout(() => senders < concurrency && addSender(), beside.maxWaitMs);
  }

  function addSender(): void {
    senders += 1;
    sendNext();
  }

  /** Sends what waits, batch after batch, until nothing does. */
  function sendNext(): void {
    if (waiting.length === 0) endSender();
    else if (collectTurn) setImmediate(sendWaiting);
    else sendWaiting();
  }

  function sendWaiting(): void {
    clearTimeout(heldBack);
    heldBack = undefined;
    const batch = waiting;
    waiting = [];
    // Another sender was faster.
    if (batch.length === 0) return sendNext();
    const sent = (): void => {
      inFlight -= batch.length;
      sendNext();
    };
    inFlight += batch.length;
    sendNow(batch).then(sent, (reason: unknown) => {
      for (const { reject } of batch) reject(reason);
      sent();
    });
  }

  function sendNow(batch: readonly Pending<Item, Result>[]): Promise<void> {
    try {
      return send(batch);
    } catch (error) {
      return Promise.reject(error as Error);
    }
  }

  // In the same turn as the last check of the queue: an item added between the two would wait forever.
  function endSender(): void {
    senders -= 1;
    if (senders > 0) return;
    const waiters = idleWaiters;
    idleWaiters = [];
    for (const resolve of waiters) resolve();
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        // Only the first item of a batch starts another sender; the rest join it.
        if (waiting.length === 1) startSender();
      }),
    idle: () => (senders === 0 ? Promise.resolve() : new Promise((resolve) => idleWaiters.push(resolve))),
  };
}
