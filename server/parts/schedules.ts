import type { Engine } from "../engine/engine-api.ts";
import { scheduleRoutes } from "../http/schedule-routes.ts";
import { createScheduleLoop } from "../schedules/schedule-loop.ts";
import { createSchedules } from "../schedules/schedules.ts";
import { createScheduleStore } from "../storage/schedule-store.ts";
import type { Ground, Part } from "./part.ts";
import type { WorkflowsPart } from "./workflows.ts";

export function createSchedulesPart(
  { clock, db, report }: Ground,
  { workflows, endpoints }: WorkflowsPart,
  engine: Engine,
): Part {
  const store = createScheduleStore(db);
  const loop = createScheduleLoop({ store, engine, runnable: endpoints.runnable, clock, onError: report });
  const schedules = createSchedules({
    store,
    clock,
    requireWorkflow: workflows.get,
    changed: () => db.notify("schedule", ""),
  });
  return {
    routes: (http) => scheduleRoutes(http, schedules),
    begin() {
      void db
        .listen("schedule", loop.look)
        .catch((error: unknown) => report(error, "listening for schedules"));
      loop.look();
    },
    stop: loop.close,
  };
}
