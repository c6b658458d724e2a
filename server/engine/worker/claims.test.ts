import { expect, test } from "vitest";
import { createClaims } from "./claims.ts";

test("claims are counted, and are answered when the oldest of them is", async () => {
  const answers: (() => void)[] = [];
  const pending = <T>(value: T): Promise<T> => new Promise((resolve) => answers.push(() => resolve(value)));
  const claims = createClaims({
    claimDue: () => pending([]),
    claimSuspect: () => pending(undefined),
  });
  expect([claims.begun(), claims.areAnswered(0)]).toEqual([0, true]);
  const first = claims.claimDue("w", 1, 0);
  const second = claims.claimSuspect("w", "task_1", 0);
  expect([claims.begun(), claims.areAnswered(0), claims.areAnswered(1)]).toEqual([2, true, false]);
  answers[1]!();
  await second;
  expect(claims.areAnswered(2)).toBe(false);
  answers[0]!();
  await first;
  expect(claims.areAnswered(2)).toBe(true);
});

test("one that fails is answered, too", async () => {
  const claims = createClaims({
    claimDue: () => Promise.reject(new Error("down")),
    claimSuspect: () => Promise.resolve(undefined),
  });
  await expect(claims.claimDue("w", 1, 0)).rejects.toThrow("down");
  expect(claims.areAnswered(1)).toBe(true);
});
