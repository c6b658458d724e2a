import { expect, test } from "vitest";
import { createClaims } from "./claims.ts";

test("claims are counted, and are answered when the oldest of them is", async () => {
  const answers: (() => void)[] = [];
  const pending = <T>(value: T): Promise<T> => new Promise((resolve) => answers.push(() => resolve(value)));
  const claims = createClaims({
    claimDue: () => pending([]),
    claimQuarantined: () => pending(undefined),
  });
  expect([claims.begun(), claims.haveReturned(0)]).toEqual([0, true]);
  const first = claims.claimDue("w", 1, 0);
  const second = claims.claimQuarantined("w", "task_1", 0);
  expect([claims.begun(), claims.haveReturned(0), claims.haveReturned(1)]).toEqual([2, true, false]);
  answers[1]!();
  await second;
  expect(claims.haveReturned(2)).toBe(false);
  answers[0]!();
  await first;
  expect(claims.haveReturned(2)).toBe(true);
});

test("one that fails is answered, too", async () => {
  const claims = createClaims({
    claimDue: () => Promise.reject(new Error("down")),
    claimQuarantined: () => Promise.resolve(undefined),
  });
  await expect(claims.claimDue("w", 1, 0)).rejects.toThrow("down");
  expect(claims.haveReturned(1)).toBe(true);
});
