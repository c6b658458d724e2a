import { expect, test } from "vitest";
import { usePostgres } from "../../test/support/postgres.ts";
import { createSharedRateLimiter } from "./shared-rate-limiter.ts";

/** Processes that count together, by a clock that the test sets. */
async function counting(perMinute: number) {
  const db = await usePostgres();
  const time = { now: 1_800_000_000_000 };
  const clock = { now: () => time.now, monotonic: () => 0 };
  const join = () => createSharedRateLimiter(db, "calls", perMinute, clock);
  return { time, join };
}

test("all processes share one window, which restarts with the first request after its end", async () => {
  const { time, join } = await counting(2);
  const [one, two] = [join(), join()];
  expect(await one.take("ada")).toMatchObject({ allowed: true, remaining: 1, resetInMs: 60_000 });
  expect(await two.take("ada")).toMatchObject({ allowed: true, remaining: 0 });
  expect(await one.take("ada")).toMatchObject({ allowed: false });
  expect(await two.take("bob")).toMatchObject({ allowed: true });
  time.now += 60_000;
  expect(await one.take("ada")).toMatchObject({ allowed: true, remaining: 1 });
});

test("a clock set back blocks no key for longer than two windows", async () => {
  const { time, join } = await counting(1);
  const [one, two] = [join(), join()];
  await one.take("ada");
  expect(await one.take("ada")).toMatchObject({ allowed: false });
  time.now -= 3_600_000;
  expect(await one.take("ada")).toMatchObject({ allowed: true });
  expect(await two.take("ada")).toMatchObject({ allowed: false });
});
