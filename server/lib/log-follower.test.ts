import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createLogFollower, type LogFollowerOptions, SlowConsumer } from "./log-follower.ts";

interface Entry {
  seq: number;
}

const settle = () => new Promise((resolve) => setImmediate(resolve));
const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await Promise.resolve();
};

/** A log in memory and a follower of it. */
function open(options: Partial<LogFollowerOptions<Entry>> & { length?: number } = {}) {
  const log = { length: options.length ?? 0, isDown: false };
  const delivered: number[] = [];
  const errors: unknown[] = [];
  const read = vi.fn<LogFollowerOptions<Entry>["read"]>((after, limit) =>
    log.isDown
      ? Promise.reject(new Error("down"))
      : Promise.resolve(
          Array.from({ length: Math.max(0, Math.min(limit, log.length - after)) }, (_, index) => ({
            seq: after + 1 + index,
          })),
        ),
  );
  const follower = createLogFollower<Entry>({
    after: 0,
    read,
    deliver: ({ seq }) => void delivered.push(seq),
    onError: (error) => void errors.push(error),
    ...options,
  });
  const write = (): Entry => ({ seq: ++log.length });
  return { follower, log, write, read, delivered, errors };
}

/** A read that resolves when the test releases it. */
function heldRead() {
  const answers: ((entries: Entry[]) => void)[] = [];
  const read = (): Promise<Entry[]> => new Promise((resolve) => answers.push(resolve));
  return { read, answer: (...seqs: number[]) => answers.shift()!(seqs.map((seq) => ({ seq }))), answers };
}

describe("reading", () => {
  test("one hint delivers the whole log, page by page", async () => {
    const { follower, delivered, read } = open({ length: 5, pageSize: 2 });
    follower.hint();
    await follower.caughtUp();
    expect(delivered).toEqual([1, 2, 3, 4, 5]);
    expect(read.mock.calls).toEqual([
      [0, 2],
      [2, 2],
      [4, 2],
    ]);
  });

  test("starts after the position of the consumer", async () => {
    const { follower, delivered } = open({ after: 3, length: 5 });
    follower.hint();
    await follower.caughtUp();
    expect(delivered).toEqual([4, 5]);
  });

  test("many hints during a read cause one more read", async () => {
    const { follower, read, delivered, write } = open({ length: 1 });
    follower.hint();
    write();
    for (let count = 0; count < 10; count++) follower.hint();
    await follower.caughtUp();
    expect(delivered).toEqual([1, 2]);
    expect(read).toHaveBeenCalledTimes(2);
  });

  test("an entry written at any moment of a read is delivered after its hint", async () => {
    for (let moment = 0; moment < 20; moment++) {
      const { follower, delivered, write } = open({ length: 1 });
      follower.hint();
      await turns(moment);
      write();
      follower.hint();
      await follower.caughtUp();
      expect(delivered).toEqual([1, 2]);
    }
  });

  test("a lost hint is recovered by the next one, or by polling", async () => {
    const { follower, delivered, write } = open({ pollMs: 20 });
    follower.hint();
    await follower.caughtUp();
    write();
    await expect.poll(() => delivered).toEqual([1]);
    write();
    write();
    follower.hint();
    await follower.caughtUp();
    expect(delivered).toEqual([1, 2, 3]);
    follower.close();
  });

  test("entries that the log returns twice are delivered once", async () => {
    const { read, answer } = heldRead();
    const { follower, delivered } = open({ read });
    follower.hint();
    await turns(3);
    follower.hint();
    answer(1, 2);
    await settle();
    answer(1, 2, 3);
    await follower.caughtUp();
    expect(delivered).toEqual([1, 2, 3]);
  });
});

describe("pushed entries", () => {
  test("the next entry is delivered at once, without a read", () => {
    const { follower, delivered, read, write } = open();
    follower.push(write());
    follower.push(write());
    expect(delivered).toEqual([1, 2]);
    expect(read).not.toHaveBeenCalled();
  });

  test("a duplicate is ignored", async () => {
    const { follower, delivered, read, write } = open();
    const first = write();
    follower.push(first);
    follower.push(first);
    await settle();
    expect(delivered).toEqual([1]);
    expect(read).not.toHaveBeenCalled();
  });

  test("a gap is read from the log, in order", async () => {
    const { follower, delivered, write } = open();
    const [, second, third] = [write(), write(), write()];
    follower.push(third);
    follower.push(second);
    await follower.caughtUp();
    expect(delivered).toEqual([1, 2, 3]);
  });

  test("an entry pushed during a read is delivered once, after those before it", async () => {
    for (let moment = 0; moment < 20; moment++) {
      const { follower, delivered, write } = open({ length: 1 });
      follower.hint();
      await turns(moment);
      follower.push(write());
      await follower.caughtUp();
      expect(delivered).toEqual([1, 2]);
    }
  });

  test("follow the end of the log when that is where the consumer starts", async () => {
    const { follower, delivered, write } = open({ length: 7, after: Promise.resolve(7) });
    follower.push(write());
    await follower.caughtUp();
    expect(delivered).toEqual([8]);
  });

  test("an entry pushed before the end is known is new, even if that end includes it", async () => {
    let know: (end: number) => void = () => undefined;
    const { follower, delivered, write } = open({
      length: 7,
      after: new Promise((resolve) => (know = resolve)),
    });
    const eighth = write();
    follower.push(eighth);
    know(8);
    await follower.caughtUp();
    expect(delivered).toEqual([8]);
  });

  test("entries that precede it are delivered first when the end was read before them", async () => {
    let know: (end: number) => void = () => undefined;
    const { follower, delivered, write } = open({
      length: 7,
      after: new Promise((resolve) => (know = resolve)),
    });
    write();
    follower.push(write());
    know(7);
    await follower.caughtUp();
    expect(delivered).toEqual([8, 9]);
  });
});

describe("slow consumers", () => {
  /** Accepts an entry when the test releases it. */
  function slow(options: Partial<LogFollowerOptions<Entry>> & { length?: number } = {}) {
    const accepts: (() => void)[] = [];
    const seen: number[] = [];
    const opened = open({
      deliver({ seq }) {
        seen.push(seq);
        return new Promise<void>((resolve) => accepts.push(resolve));
      },
      ...options,
    });
    return { ...opened, seen, accept: () => accepts.shift()!() };
  }

  test("hold back the next entry, and pushed entries are read later instead of kept", async () => {
    const { follower, seen, accept, write, read } = slow();
    for (let count = 0; count < 3; count++) follower.push(write());
    await settle();
    expect(seen).toEqual([1]);
    expect(read).not.toHaveBeenCalled();
    accept();
    await settle();
    expect(seen).toEqual([1, 2]);
    accept();
    await settle();
    accept();
    await follower.caughtUp();
    expect(seen).toEqual([1, 2, 3]);
  });

  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  test("are cut off when they accept nothing for too long", async () => {
    const { follower, seen, errors, write } = slow({ length: 2, stallMs: 1000 });
    follower.hint();
    await settle();
    await vi.advanceTimersByTimeAsync(1000);
    expect(errors).toEqual([new SlowConsumer(1000)]);
    follower.push(write());
    follower.hint();
    await settle();
    expect(seen).toEqual([1]);
  });
});

describe("failed reads", () => {
  test("are reported, and the next hint reads from the same position", async () => {
    const { follower, log, delivered, errors } = open({ length: 2 });
    log.isDown = true;
    follower.hint();
    await follower.caughtUp();
    expect(errors).toEqual([new Error("down")]);
    log.isDown = false;
    follower.hint();
    await follower.caughtUp();
    expect(delivered).toEqual([1, 2]);
  });

  test("leave a gap before the newest pushed entry only for consumers that accept one", async () => {
    const strict = open();
    const lenient = open({ skipsUnreadable: true });
    for (const { follower, log, write } of [strict, lenient]) {
      log.isDown = true;
      write();
      follower.push(write());
      await follower.caughtUp();
    }
    expect(strict.delivered).toEqual([]);
    expect(lenient.delivered).toEqual([2]);
    expect([strict.errors, lenient.errors]).toEqual([[new Error("down")], [new Error("down")]]);
  });

  test("do not count as caught up", async () => {
    const onCaughtUp = vi.fn<() => void>();
    const { follower, log } = open({ length: 1, onCaughtUp });
    log.isDown = true;
    follower.hint();
    await follower.caughtUp();
    expect(onCaughtUp).not.toHaveBeenCalled();
    log.isDown = false;
    follower.hint();
    await follower.caughtUp();
    expect(onCaughtUp).toHaveBeenCalledTimes(1);
  });
});

describe("closing", () => {
  test("during a read delivers nothing of its page", async () => {
    const { read, answer } = heldRead();
    const { follower, delivered } = open({ read });
    follower.hint();
    const caughtUp = follower.caughtUp();
    follower.close();
    answer(1, 2);
    await caughtUp;
    expect(delivered).toEqual([]);
  });

  test("by the consumer of an entry delivers no further one", async () => {
    const delivered: number[] = [];
    const { follower } = open({
      length: 3,
      deliver({ seq }) {
        delivered.push(seq);
        if (seq === 2) follower.close();
      },
    });
    follower.hint();
    await follower.caughtUp();
    follower.push({ seq: 3 });
    expect(delivered).toEqual([1, 2]);
  });

  test("during a read that fails reports no error", async () => {
    const { follower, log, errors } = open({ length: 1 });
    log.isDown = true;
    follower.hint();
    follower.close();
    await follower.caughtUp();
    expect(errors).toEqual([]);
  });
});
