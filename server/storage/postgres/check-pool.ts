import { AppError } from "../../lib/errors.ts";
import { placeOf } from "./address.ts";
import type { Lane } from "./lane.ts";

/**
 * A pooler in session mode keeps a connection of the server's for each of ours. Whoever gets none is not told, he waits:
 * a process that took too few for granted would start, and leave its callers without an answer under load.
 */
export async function checkPool(lanes: readonly Lane[], url: string): Promise<void> {
  const answers = await Promise.allSettled(
    lanes.map(async (lane) => (await lane.session()).run([{ sql: "select 1 as one" }])),
  );
  const refused = answers.filter((answer) => answer.status === "rejected");
  if (refused.length === 0) return;
  throw new AppError(
    "database_pool_too_small",
    `The pooler at ${placeOf(url)} (DATABASE_URL) has ${lanes.length - refused.length} of the ${lanes.length} connections that this process needs at the same time. With pool_mode = session its pool needs DATABASE_POOL_SIZE + 1 for each process; with pool_mode = transaction fewer are enough.`,
    { cause: refused[0]?.reason },
  );
}
