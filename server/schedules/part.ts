import type { InputSchema } from "../../contract/input/input-field.ts";
import type { Engine } from "../engine/engine-api.ts";
import { assertInput } from "../engine/worker/checked-input.ts";
import { scheduleRoutes } from "./schedule.routes.ts";
import { createScheduleLoop } from "./schedule-loop.ts";
import { createSchedules } from "./schedules.ts";
import { createScheduleClaims } from "./schedule-claims.sql.ts";
import { createScheduleStore } from "./schedule.sql.ts";
import type { Platform, Part } from "../platform/part.ts";
import { deleteOwned } from "../storage/delete-owned.ts";
import type { WorkflowsPart } from "../workflows/part.ts";

export function createSchedulesPart(
  { clock, config, db, report }: Platform,
  { workflows, runnable }: WorkflowsPart,
  engine: Engine,
): Part {
  const store = createScheduleStore(db);
  const loop = createScheduleLoop({
    claims: createScheduleClaims(db),
    engine,
    currentWorkflow: runnable.findCurrent,
    clock,
    onError: report,
  });
  const schedules = createSchedules({
    store,
    clock,
    minIntervalSeconds: config.limits.scheduleIntervalSeconds,
    async checkWorkflow(userId, workflowId, input) {
      const { metadata } = await workflows.get(userId, workflowId);
      assertInput(metadata.inputSchema as InputSchema | undefined, input);
    },
    onChanged: () => db.notify("schedule", ""),
  });
  return {
    routes: (http) => scheduleRoutes(http, schedules),
    start() {
      void db
        .listen("schedule", loop.poll)
        .catch((error: unknown) => report(error, "listening for schedule changes"));
      loop.poll();
    },
    stopOwner: (ownerId, batches) =>
      batches.deleteAll((limit) => deleteOwned(db, "schedule", ownerId, limit)),
    stop: loop.close,
  };
}
