import { createId } from "../lib/ids.ts";
import type { Db } from "../storage/db.ts";
import { RUN_EVENT_CHANNEL, workspaceEvent } from "../storage/engine/run-events.ts";
import { settingOf } from "../limits/limit-reached.ts";
import type { LimitRefusal } from "./limit-refusals.ts";

/** Stores one event for each limit of each workspace. */
export async function writeLimitRefusals(
  db: Db,
  refusals: readonly LimitRefusal[],
  at: number,
): Promise<void> {
  await db.batch(
    refusals.map(({ ownerId, limit, count }) =>
      workspaceEvent(
        {
          id: createId("evt", at),
          ownerId,
          type: "baton.limit.reached",
          data: { limit, setting: settingOf(limit), count },
          at,
          count,
        },
        {
          sql: "exists (select 1 from workspace where id = $ownerId and deleted_at is null)",
          params: {},
        },
      ),
    ),
  );
  db.notify(RUN_EVENT_CHANNEL, "");
}
