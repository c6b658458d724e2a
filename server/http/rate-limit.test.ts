import Fastify from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { createRateLimiter } from "../lib/rate-limiter.ts";
import { sendError } from "./errors.ts";
import { limitRate, refusalOf } from "./rate-limit.ts";

const clock = { now: () => 0, monotonic: () => 0 };

/** One route that each of the limits counts, by the header `x-client`. */
function createServer(...limits: number[]) {
  const app = Fastify();
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  const hooks = limits.map((perMinute) =>
    limitRate(createRateLimiter(perMinute, clock), ({ headers }) => String(headers["x-client"])),
  );
  app.get("/", { onRequest: hooks }, () => ({ ok: true }));
  onTestFinished(() => app.close());
  return async (client: string) => {
    const { statusCode, headers } = await app.inject({ url: "/", headers: { "x-client": client } });
    const { "ratelimit-limit": limit, "ratelimit-remaining": remaining, "ratelimit-reset": reset } = headers;
    return { status: statusCode, limit, remaining, reset, retryAfter: headers["retry-after"] };
  };
}

test("a client beyond its limit is refused until the window ends, another one is not", async () => {
  const call = createServer(1);
  const allowed = { status: 200, limit: "1", remaining: "0", reset: "60", retryAfter: undefined };
  expect(await call("a")).toEqual(allowed);
  expect(await call("a")).toEqual({ ...allowed, status: 429, retryAfter: "60" });
  expect(await call("b")).toEqual(allowed);
});

test("of several limits, the headers are those of the first, or of the one that refuses", async () => {
  const call = createServer(5, 1);
  expect(await call("a")).toMatchObject({ status: 200, limit: "5", remaining: "4" });
  expect(await call("a")).toMatchObject({ status: 429, limit: "1", remaining: "0" });
});

test("without a limit nothing is refused and no header is sent", async () => {
  const call = createServer(0);
  for (let calls = 0; calls < 3; calls += 1)
    expect(await call("a")).toMatchObject({ status: 200, limit: undefined });
});

test("a decision is an error only when it refuses", () => {
  const decision = { limit: 2, remaining: 0, resetInMs: 1500 };
  expect(refusalOf({ ...decision, allowed: true })).toBeUndefined();
  expect(refusalOf({ ...decision, allowed: false })).toMatchObject({
    code: "rate_limited",
    message: "The limit of 2 requests per minute is reached. Try again in 2 seconds.",
    retryAfterMs: 2000,
  });
});
