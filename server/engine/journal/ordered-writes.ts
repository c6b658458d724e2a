interface Waiting<Write> {
  write: Write;
  resolve(): void;
  reject(reason: unknown): void;
}

/**
 * One after the other, since a store with several connections may finish a later write first: the journal would have a
 * hole after a crash, and a step would begin before a result that it reads. What comes meanwhile is sent together next.
 * After a failure nothing more is sent.
 */
export function createOrderedWrites<Write>(send: (writes: Write[]) => Promise<void>) {
  let waiting: Waiting<Write>[] = [];
  let sending = false;
  let failure: { reason: unknown } | undefined;

  async function sendAll(): Promise<void> {
    sending = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        if (failure !== undefined) throw failure.reason;
        await send(batch.map(({ write }) => write));
        for (const { resolve } of batch) resolve();
      } catch (reason) {
        failure ??= { reason };
        for (const { reject } of batch) reject(reason);
      }
    }
    sending = false;
  }

  return (write: Write): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting.push({ write, resolve, reject });
      if (!sending) void sendAll();
    });
}
