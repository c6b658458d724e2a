/**
 * Follows one append-only log whose entries are numbered 1, 2, 3 …: a hint arrives, the follower reads on from its
 * position, and delivers every entry once and in order. Hints may be lost, repeated or out of order, since order and
 * completeness come from the log alone.
 *
 * Create the follower, subscribe its `hint` or `push` to the source of hints, then call `hint` once: entries written
 * before the subscription are read, later ones are hinted, and none is missed in between.
 */
export interface LogFollower<Entry> {
  /** The log may have grown. Any number of hints during a read cause one more read. */
  hint(): void;
  /** A durable entry that is already in memory. If it is the next one it is delivered without a read, else it is a hint. */
  push(entry: Entry): void;
  /** Resolves once every entry that existed at the call has been delivered, the read has failed, or the follower is closed. */
  caughtUp(): Promise<void>;
  /** True while entries are read from the log: delivery lags behind the live log. */
  readonly isReading: boolean;
  /** Delivers nothing from here on, also not the rest of a page being read. */
  close(): void;
}

export interface LogFollowerOptions<Entry extends { seq: number }> {
  /** Number of the last entry that the consumer has. A promise of the log's current end follows new entries only. */
  after: number | Promise<number>;
  read(after: number, limit: number): Promise<readonly Entry[]>;
  /** A returned promise holds back the next entry. Meanwhile pushed entries are not kept: memory is bounded by one page. */
  deliver(entry: Entry): void | Promise<unknown>;
  /** Every entry known so far has been delivered. */
  onCaughtUp?(): void;
  /** A read or a delivery failed; the position is kept, and the next hint tries again. */
  onError(error: unknown): void;
  /** After a failed read, deliver the newest pushed entry although entries before it are missing. */
  skipsUnreadable?: boolean;
  pageSize?: number;
  /** Pages may have fewer entries than asked for; an empty one is the last. */
  hasShortPages?: boolean;
  /** Reads again after this long without a hint, in case one was lost. */
  pollMs?: number;
  /** A delivery that takes longer closes the follower with a `SlowConsumer` error. */
  stallMs?: number;
}

/** The consumer did not accept an entry in time. It can resume from its last number. */
export class SlowConsumer extends Error {
  constructor(stallMs: number) {
    super(`The consumer did not accept an entry within ${stallMs} ms.`);
  }
}

const PAGE_SIZE = 200;

export function createLogFollower<Entry extends { seq: number }>(
  options: LogFollowerOptions<Entry>,
): LogFollower<Entry> {
  const { read, deliver, onCaughtUp, onError, pageSize = PAGE_SIZE, pollMs, stallMs } = options;
  const fullPage = options.hasShortPages === true ? 1 : pageSize;
  let position = typeof options.after === "number" ? options.after : undefined;
  /** Smallest and newest entry pushed while they could not be delivered at once. */
  let firstPushed = Infinity;
  let newest: Entry | undefined;
  let hinted = false;
  let isReading = false;
  let lastRead = Promise.resolve();
  let poll: NodeJS.Timeout | undefined;
  let closed = false;
  if (typeof options.after !== "number") {
    // Known early, so that the first push needs no read. A rejection is reported by the read that awaits it.
    options.after.then(
      (end) => (position ??= startAt(end)),
      () => undefined,
    );
  }

  function hint(): void {
    hinted = true;
    if (closed || isReading) return;
    clearTimeout(poll);
    lastRead = readOn(undefined);
  }

  function push(entry: Entry): void {
    if (closed || (position !== undefined && entry.seq <= position)) return;
    if (!isReading && position !== undefined && entry.seq === position + 1) {
      const held = deliverNext(entry);
      if (held === undefined) idle();
      else lastRead = readOn(held);
      return;
    }
    firstPushed = Math.min(firstPushed, entry.seq);
    if (newest === undefined || entry.seq > newest.seq) newest = entry;
    hint();
  }

  /** Ends only when no hint came since the last read began, checked in the same turn: no wake-up is lost. */
  async function readOn(held: Promise<unknown> | undefined): Promise<void> {
    isReading = true;
    try {
      if (held !== undefined) await accepted(held);
      position ??= startAt(await options.after);
      while (hinted && !closed) {
        hinted = false;
        const page = await read(position, pageSize);
        for (const entry of page) {
          if (closed) return;
          if (entry.seq <= position) continue;
          const pending = deliverNext(entry);
          if (pending !== undefined) await accepted(pending);
        }
        if (page.length >= fullPage) hinted = true;
      }
      isReading = false;
      if (!closed) idle();
    } catch (error) {
      isReading = false;
      if (!closed) failed(error);
    }
    newest = undefined;
  }

  function failed(error: unknown): void {
    onError(error);
    if (options.skipsUnreadable === true && newest !== undefined && newest.seq > (position ?? 0))
      void deliverNext(newest);
    schedulePoll();
  }

  /** An entry pushed before the end of the log was known is new to the consumer, even if that end includes it. */
  function startAt(end: number): number {
    return Math.min(end, firstPushed - 1);
  }

  function deliverNext(entry: Entry): Promise<unknown> | undefined {
    position = entry.seq;
    return deliver(entry) ?? undefined;
  }

  async function accepted(delivery: Promise<unknown>): Promise<void> {
    if (stallMs === undefined) return void (await delivery);
    let timer: NodeJS.Timeout | undefined;
    const stalled = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new SlowConsumer(stallMs)), stallMs).unref();
    });
    try {
      await Promise.race([delivery, stalled]);
    } catch (error) {
      if (error instanceof SlowConsumer && !closed) {
        close();
        onError(error);
      }
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  function idle(): void {
    onCaughtUp?.();
    schedulePoll();
  }

  function schedulePoll(): void {
    if (pollMs === undefined || closed) return;
    clearTimeout(poll);
    poll = setTimeout(hint, pollMs).unref();
  }

  function close(): void {
    closed = true;
    clearTimeout(poll);
  }

  return {
    hint,
    push,
    caughtUp: () => lastRead,
    get isReading() {
      return isReading;
    },
    close,
  };
}
