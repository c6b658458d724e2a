import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../lib/errors.ts";
import type { RateDecision, RateLimiter } from "../lib/rate-limiter.ts";

/**
 * A hook that counts the request before anything else runs. `request.ip` is the address of the socket unless trusted
 * proxies are configured, so a forged X-Forwarded-For header does not bypass the limit.
 */
export function limitRate(limiter: RateLimiter, keyOf: (request: FastifyRequest) => string) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { allowed, limit, remaining, resetInMs } = await limiter.take(keyOf(request));
    if (limit === 0) return;
    const resetInSeconds = Math.ceil(resetInMs / 1000);
    // With several limits, the headers describe the first one, or the one that refuses.
    if (!allowed || !reply.hasHeader("ratelimit-limit"))
      reply.headers({
        "ratelimit-limit": limit,
        "ratelimit-remaining": remaining,
        "ratelimit-reset": resetInSeconds,
      });
    if (!allowed) throw rateLimited(limit, resetInSeconds);
  };
}

/** The error of a request beyond the limit; undefined if it is allowed. */
export function refusalOf({ allowed, limit, resetInMs }: RateDecision): AppError | undefined {
  return allowed ? undefined : rateLimited(limit, Math.ceil(resetInMs / 1000));
}

function rateLimited(limit: number, resetInSeconds: number): AppError {
  return new AppError(
    "rate_limited",
    `The limit of ${limit} requests per minute is reached. Try again in ${resetInSeconds} seconds.`,
    { retryAfterMs: resetInSeconds * 1000 },
  );
}
