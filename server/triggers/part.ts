import type { StoredTriggerKind } from "../../contract/triggers.ts";
import type { Engine } from "../engine/engine-api.ts";
import type { Part, Platform } from "../platform/part.ts";
import { deleteOwned } from "../storage/delete-owned.ts";
import type { WorkflowsPart } from "../workflows/part.ts";
import { createEmailSource } from "./email/email-source.ts";
import { createRssSource } from "./rss/rss-source.ts";
import type { TriggerSource } from "./source.ts";
import { createTriggerClaims } from "./trigger-claims.sql.ts";
import { createTriggerLoop } from "./trigger-loop.ts";
import { triggerRoutes } from "./trigger.routes.ts";
import { createTriggerStore } from "./trigger.sql.ts";
import { createTriggers } from "./triggers.ts";

const CHANNEL = "trigger";

/** Triggers that are records of their own: feeds and mailboxes that are checked for new items. */
export function createTriggersPart(
  { box, clock, config, db, egress, limits, report }: Platform,
  { workflows, runnable }: WorkflowsPart,
  engine: Engine,
): Part {
  const store = createTriggerStore(db);
  const sources = { rss: createRssSource(egress), email: createEmailSource({ egress, box }) };
  const sourceOf = (kind: StoredTriggerKind) => sources[kind] as TriggerSource<StoredTriggerKind> | undefined;
  const loop = createTriggerLoop({
    claims: createTriggerClaims(db),
    sourceOf,
    engine,
    currentWorkflow: runnable.findCurrent,
    clock,
    checksPerOwner: limits.max("trigger_checks"),
    onError: report,
  });
  const triggers = createTriggers({
    store,
    box,
    clock,
    limits,
    minIntervalSeconds: config.limits.triggerIntervalSeconds,
    sourceOf,
    async checkWorkflow(userId, workflowId) {
      await workflows.get(userId, workflowId);
    },
    onChanged: () => db.notify(CHANNEL, ""),
  });
  limits.reports("triggers", store.count);
  return {
    routes: (http) => triggerRoutes(http, triggers),
    start() {
      void db
        .listen(CHANNEL, loop.poll)
        .catch((error: unknown) => report(error, "listening for trigger changes"));
      loop.poll();
    },
    stopOwner: (ownerId, steps) => steps.deleteAll((limit) => deleteOwned(db, "triggers", ownerId, limit)),
    stop: loop.close,
  };
}
