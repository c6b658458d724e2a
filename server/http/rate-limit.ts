import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../lib/errors.ts";
import type { RateLimiter } from "../lib/rate-limiter.ts";

/**
 * A hook that counts before anything else is looked at. `request.ip` is the socket's address unless the
 * operator named trusted proxies, so a forged X-Forwarded-For changes nothing.
 */
export function limitRate(limiter: RateLimiter, keyOf: (request: FastifyRequest) => string) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { allowed, limit, remaining, resetInMs } = await limiter.take(keyOf(request));
    if (limit === 0) return;
    const resetInSeconds = Math.ceil(resetInMs / 1000);
    reply.headers({
      "ratelimit-limit": limit,
      "ratelimit-remaining": remaining,
      "ratelimit-reset": resetInSeconds,
    });
    if (allowed) return;
    reply.header("retry-after", resetInSeconds);
    throw new AppError(
      "rate_limited",
      `Only ${limit} requests a minute are taken here; try again in ${resetInSeconds} seconds.`,
    );
  };
}
