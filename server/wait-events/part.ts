import type { BearerAccess } from "../accounts/bearer-access.ts";
import type { Engine } from "../engine/engine-api.ts";
import type { Part, Platform } from "../platform/part.ts";
import { deleteOwned } from "../storage/delete-owned.ts";
import type { Tasks } from "../tasks/tasks.ts";
import type { ResumeUrls } from "./resume-urls.ts";
import { waitEventRoutes } from "./wait-event.routes.ts";
import { createWaitEventStore } from "./wait-event.sql.ts";
import { createWaitEvents } from "./wait-events.ts";

export interface WaitEventsPartDeps {
  engine: Engine;
  access: BearerAccess;
  resumeUrls: ResumeUrls;
  tasks: Pick<Tasks, "summary">;
}

/** Events that continue `wait_event` steps. */
export function createWaitEventsPart(
  { config, clock, db, limiter, limits }: Platform,
  { engine, access, resumeUrls, tasks }: WaitEventsPartDeps,
): Part {
  const store = createWaitEventStore(db);
  const events = createWaitEvents({
    store,
    engine,
    urls: resumeUrls,
    requireTask: tasks.summary,
    limits,
    clock,
  });
  limits.reports("kept_events", async (ownerId) => (await store.countKept(ownerId)).events);
  limits.reports("kept_event_bytes", async (ownerId) => (await store.countKept(ownerId)).bytes);
  return {
    routes: (http) =>
      waitEventRoutes(http, {
        events,
        access,
        limiter: limiter("resume_url", config.limits.loginPerMinute),
      }),
    async eraseOwner(ownerId, batches) {
      await batches.deleteAll((limit) => deleteOwned(db, "event", ownerId, limit));
      await store.dropLock(ownerId);
    },
  };
}
