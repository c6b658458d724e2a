import { expect, test } from "vitest";
import { createTurnWatch } from "./turn-watch.ts";

test("a turn is long when ten milliseconds have passed since it was first asked about, and the next begins anew", async () => {
  let now = 0;
  const isLong = createTurnWatch(() => now);
  expect(isLong()).toBe(false);
  now = 10;
  expect(isLong()).toBe(false);
  now = 10.1;
  expect(isLong()).toBe(true);
  await new Promise((resolve) => setImmediate(resolve));
  expect(isLong()).toBe(false);
});
