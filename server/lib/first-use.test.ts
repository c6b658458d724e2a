import { expect, it } from "vitest";
import { onFirstUse } from "./first-use.ts";

it("creates a value at its first use, once", () => {
  let created = 0;
  const value = onFirstUse(() => ({ number: ++created }));
  expect(created).toBe(0);
  expect([value(), value()]).toEqual([{ number: 1 }, { number: 1 }]);
  expect(value()).toBe(value());
});
