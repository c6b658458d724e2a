import { expect, test } from "vitest";
import { createTurnWatch } from "./turn-watch.ts";

test("a turn is long ten milliseconds after its first call, and the next turn starts over", async () => {
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
