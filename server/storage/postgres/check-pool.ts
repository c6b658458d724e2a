import { AppError } from "../../lib/errors.ts";
import { hostAndPort } from "./address.ts";
import type { Lane } from "./lane.ts";

/**
 * A pooler in session mode holds one server connection per client connection and lets the rest wait without an error. A
 * process that gets too few would start, then leave callers without a response under load.
 */
export async function checkPool(lanes: readonly Lane[], url: string): Promise<void> {
  const results = await Promise.allSettled(
    lanes.map(async (lane) => (await lane.session()).run([{ sql: "select 1 as one" }])),
  );
  const refused = results.filter((result) => result.status === "rejected");
  if (refused.length === 0) return;
  throw new AppError(
    "database_pool_too_small",
    `The pooler at ${hostAndPort(url)} (DATABASE_URL) provides ${lanes.length - refused.length} of the ${lanes.length} connections that this process needs at the same time. With pool_mode = session the pool needs DATABASE_POOL_SIZE + 1 connections per process; with pool_mode = transaction fewer are enough.`,
    { cause: refused[0]?.reason },
  );
}
