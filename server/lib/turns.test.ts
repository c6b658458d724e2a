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
