import { expect, test } from "vitest";
import type { RoomSignal, RoomSignals } from "../room-signals.ts";
import type { MessageHead } from "../session-record.ts";
import { withExternalTurns } from "./external-turns.ts";
import type { RequestedTurn } from "./next-action.ts";

function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<T>((accept, refuse) => ([resolve, reject] = [accept, refuse]));
  return { promise, resolve, reject };
}

/** Lets every promise that can settle do so. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A log of recipients; a turn of an agent is requested by entries that it has not answered. */
function openRoom() {
  const listeners = new Set<(signal: RoomSignal) => void>();
  const signals: RoomSignals = {
    publish: () => undefined,
    subscribe: (listener) => (listeners.add(listener), () => listeners.delete(listener)),
  };
  const pending: string[] = [];
  const taken: { id: string; done: ReturnType<typeof deferred<void>> }[] = [];
  const deps = {
    sessionId: "s1",
    signals,
    heads: () => Promise.resolve([...pending] as unknown as MessageHead[]),
    requested: (heads: readonly MessageHead[]) =>
      [...new Set(heads as unknown as string[])].map((id): RequestedTurn => ({
        member: { id, name: id, type: "external" },
        triggers: [],
      })),
    async take(_heads: readonly MessageHead[], { member: { id } }: RequestedTurn) {
      const done = deferred<void>();
      taken.push({ id, done });
      await done.promise;
      pending.splice(pending.indexOf(id), 1);
    },
  };
  return {
    deps,
    taken,
    listeners,
    post(...ids: string[]) {
      pending.push(...ids);
      for (const listener of listeners)
        listener({ kind: "grown", teamId: "t1", sessionId: "s1", firstSeq: 1 });
    },
    names: () => taken.map(({ id }) => id),
  };
}

test("agents take turns at the same time, one turn each, while the work goes on", async () => {
  const { deps, taken, post, names, listeners } = openRoom();
  post("a");
  const work = deferred<string>();
  const all = withExternalTurns(deps, work.promise);
  await settle();
  expect(names()).toEqual(["a"]);
  post("a", "b");
  await settle();
  // The second message to `a` waits for the end of its first turn.
  expect(names()).toEqual(["a", "b"]);
  taken[0]?.done.resolve();
  await settle();
  expect(names()).toEqual(["a", "b", "a"]);
  for (const { done } of taken) done.resolve();
  await settle();
  expect(names()).toHaveLength(3);
  work.resolve("done");
  expect(await all).toBe("done");
  expect(listeners.size).toBe(0);
});

test("a log that was read before a turn ended starts no second one", async () => {
  const { deps, taken, post, names } = openRoom();
  const reads: ReturnType<typeof deferred<void>>[] = [];
  const slow = {
    ...deps,
    async heads() {
      const log = await deps.heads();
      const read = deferred<void>();
      reads.push(read);
      await read.promise;
      return log;
    },
  };
  const work = deferred<void>();
  post("a");
  const all = withExternalTurns(slow, work.promise);
  await settle();
  reads.shift()?.resolve();
  await settle();
  expect(names()).toEqual(["a"]);
  // This read still sees the message; the turn ends before it returns.
  post();
  await settle();
  taken[0]?.done.resolve();
  await settle();
  while (reads.length > 0) {
    reads.shift()?.resolve();
    await settle();
  }
  expect(names()).toEqual(["a"]);
  work.resolve();
  await all;
});

test("the work is not done before the turns are, and their failure is thrown", async () => {
  const { deps, taken, post } = openRoom();
  post("a");
  const work = deferred<void>();
  let isDone = false;
  const all = withExternalTurns(deps, work.promise).finally(() => (isDone = true));
  const failure = expect(all).rejects.toThrow("claim lost");
  await settle();
  work.resolve();
  await settle();
  expect([taken.length, isDone]).toEqual([1, false]);
  taken[0]?.done.reject(new Error("claim lost"));
  await failure;
});
