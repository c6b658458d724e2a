import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { inTurns, type PartedWork } from "./in-turns.ts";
import { slowClock } from "./testing/slow-clock.ts";

test("of many jobs at once, one part is done in each turn of the event loop", async () => {
  slowClock();
  const jobs = 10;
  const partsPerTurn: number[] = [];
  let parts = 0;
  function* job(): PartedWork<void> {
    for (let part = 0; part < 5; part++) {
      yield;
      parts += 1;
    }
  }
  let isDone = false;
  const all = Promise.all(Array.from({ length: jobs }, () => inTurns(job()))).then(() => (isDone = true));
  while (!isDone) {
    const before = parts;
    await nextTurn();
    partsPerTurn.push(parts - before);
  }
  await all;
  expect(parts).toBe(5 * jobs);
  expect(Math.max(...partsPerTurn)).toBe(1);
});

test("a job ends with the reason of its signal, and the others go on", async () => {
  slowClock();
  const stop = new AbortController();
  function* job(): PartedWork<string> {
    yield;
    yield;
    return "done";
  }
  const stopped = inTurns(job(), stop.signal);
  const other = inTurns(job());
  stop.abort(new Error("cancelled"));
  await expect(stopped).rejects.toThrow("cancelled");
  expect(await other).toBe("done");
});
