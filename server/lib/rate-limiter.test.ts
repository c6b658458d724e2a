import { expect, test } from "vitest";
import { createRateLimiter } from "./rate-limiter.ts";

function fakeClock() {
  let time = 0;
  return { now: () => time, monotonic: () => time, advance: (ms: number) => (time += ms) };
}

test("each key has its own limit, which is reset after a minute", async () => {
  const clock = fakeClock();
  const limiter = createRateLimiter(2, clock);
  const allowed = async (key: string) => (await limiter.take(key)).allowed;
  expect([await allowed("a"), await allowed("a"), await allowed("a")]).toEqual([true, true, false]);
  expect(await allowed("b")).toBe(true);
  clock.advance(59_999);
  expect(await limiter.take("a")).toMatchObject({ allowed: false, remaining: 0, resetInMs: 1 });
  clock.advance(1);
  expect(await limiter.take("a")).toMatchObject({ allowed: true, limit: 2, remaining: 1 });
});

test("a limit of zero allows every request", async () => {
  const limiter = createRateLimiter(0, fakeClock());
  for (let i = 0; i < 100; i++) expect((await limiter.take("a")).allowed).toBe(true);
});

test("[S23] invented keys do not fill the memory: the oldest entries are evicted", async () => {
  const limiter = createRateLimiter(1, fakeClock(), 100);
  await limiter.take("first");
  for (let i = 0; i < 1000; i++) await limiter.take(`invented-${i}`);
  expect((await limiter.take("first")).allowed).toBe(true);
  expect((await limiter.take("invented-999")).allowed).toBe(false);
});
