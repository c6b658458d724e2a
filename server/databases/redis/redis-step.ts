import type { StepCall, StepRunner } from "../../engine/run/step-runner.ts";
import { createDeadline } from "../../lib/deadline.ts";
import { AppError } from "../../lib/errors.ts";
import type { FairQueue } from "../../lib/fair-queue.ts";
import type { Limits } from "../../limits/limits.ts";
import type { DatabaseTarget } from "../database-url.ts";
import { commandOf } from "./redis-commands.ts";
import { type RedisDeps, withRedis } from "./redis-client.ts";

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_RECEIVED_BYTES = 64 * 1024 * 1024;

export interface RedisRunnerDeps extends RedisDeps {
  /** Passes the server of the step's connection to `work`. */
  withTarget<T>(call: StepCall, work: (target: DatabaseTarget) => Promise<T>): Promise<T>;
  limits: Pick<Limits, "max">;
  /** Serves owners in turn. */
  queue: Pick<FairQueue, "run">;
}

/** Runs one command on a Redis server. */
export function createRedisRunner(deps: RedisRunnerDeps): StepRunner {
  return {
    async run(call) {
      const { fields, ownerId, signal, timeoutMs = DEFAULT_TIMEOUT_MS } = call;
      // Reads the fields before a connection is opened.
      const work = commandOf(fields);
      const maxReceivedBytes = deps.limits.max("value_bytes") || MAX_RECEIVED_BYTES;
      const output = await deps.queue.run(
        ownerId,
        async () => {
          const deadline = createDeadline(timeoutMs, { outer: signal, reason: () => timedOut(timeoutMs) });
          try {
            const options = { signal: deadline.signal, maxReceivedBytes };
            return await deadline.race(
              deps.withTarget(call, (target) => {
                call.assertLease();
                return withRedis(deps, target, options, work);
              }),
            );
          } finally {
            deadline.clear();
          }
        },
        { signal },
      );
      return { output };
    },
  };
}

function timedOut(ms: number): AppError {
  return new AppError("query_failed", `Redis did not answer within ${ms} ms.`, { retryable: true });
}
