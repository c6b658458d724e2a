import { expect, test } from "vitest";
import { createClaims } from "./claims.ts";

test("claims are counted, and have returned once the oldest has", async () => {
  const responses: (() => void)[] = [];
  const pending = <T>(value: T): Promise<T> => new Promise((resolve) => responses.push(() => resolve(value)));
  const claims = createClaims({
    claimDue: () => pending([]),
    claimQuarantined: () => pending(undefined),
  });
  expect([claims.started(), claims.haveReturned(0)]).toEqual([0, true]);
  const first = claims.claimDue("w", [{ ownerId: "user_1", count: 1 }], 0);
  const second = claims.claimQuarantined("w", "task_1", 0);
  expect([claims.started(), claims.haveReturned(0), claims.haveReturned(1)]).toEqual([2, true, false]);
  responses[1]!();
  await second;
  expect(claims.haveReturned(2)).toBe(false);
  responses[0]!();
  await first;
  expect(claims.haveReturned(2)).toBe(true);
});

test("a failed claim has returned, too", async () => {
  const claims = createClaims({
    claimDue: () => Promise.reject(new Error("down")),
    claimQuarantined: () => Promise.resolve(undefined),
  });
  await expect(claims.claimDue("w", [{ ownerId: "user_1", count: 1 }], 0)).rejects.toThrow("down");
  expect(claims.haveReturned(1)).toBe(true);
});
