import { expect, test } from "vitest";
import { createTurns } from "./turns.ts";

test("no more than the limit run at once, in the order they came, and a failure frees its place", async () => {
  const inTurn = createTurns(2);
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  const jobs = Array.from({ length: 20 }, (_, index) =>
    inTurn(async () => {
      begun.push(index);
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      if (index % 3 === 0) throw new Error("on purpose");
      return index;
    }),
  );
  const results = await Promise.allSettled(jobs);
  expect(most).toBe(2);
  expect(begun).toEqual(begun.toSorted((a, b) => a - b));
  expect(results.filter(({ status }) => status === "rejected")).toHaveLength(7);
});

test("one who leaves the line loses only his own turn", async () => {
  const inTurn = createTurns(1);
  let release: () => void = () => undefined;
  const first = inTurn(() => new Promise<void>((resolve) => (release = resolve)));
  const leaving = new AbortController();
  const left = inTurn(() => Promise.resolve("left"), leaving.signal);
  const next = inTurn(() => Promise.resolve("next"));
  leaving.abort(new Error("has left"));
  await expect(left).rejects.toThrow("has left");
  release();
  await first;
  expect(await next).toBe("next");
  expect(await inTurn(() => Promise.resolve("later"))).toBe("later");
});

test("one who has left before he came never begins", async () => {
  const begun: string[] = [];
  const gone = AbortSignal.abort(new Error("gone"));
  await expect(createTurns(1)(() => Promise.resolve(begun.push("x")), gone)).rejects.toThrow("gone");
  expect(begun).toEqual([]);
});
