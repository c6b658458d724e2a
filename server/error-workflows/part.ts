import type { Engine } from "../engine/engine-api.ts";
import { createSubscribedOwners, type SubscribedOwners } from "../events/event-owners.ts";
import type { Part, Platform } from "../platform/part.ts";
import { FAILED_RUN_CHANNEL } from "../storage/engine/write-group.ts";
import type { WorkflowsPart } from "../workflows/part.ts";
import { createErrorRuns } from "./error-runs.ts";
import { errorWorkflowRoutes } from "./error-workflow.routes.ts";
import { createErrorWorkflowStore } from "./error-workflow.sql.ts";

const DEFAULT_CHANNEL = "error_workflow";

/** The owners whose failed runs the engine stores, for their error workflows. */
export async function openErrorOwners({ db, report }: Platform): Promise<SubscribedOwners> {
  const owners = createSubscribedOwners(createErrorWorkflowStore(db).listOwners);
  await db.listen(DEFAULT_CHANNEL, () => {
    owners.reload().catch((error: unknown) => report(error, "reading the accounts with an error workflow"));
  });
  await owners.reload();
  return owners;
}

export interface ErrorWorkflowsPartDeps {
  workflows: WorkflowsPart;
  engine: Engine;
  owners: SubscribedOwners;
}

/** Workflows that run when a run of another one fails. */
export function createErrorWorkflowsPart(
  { config, clock, db, report }: Platform,
  { workflows: { workflows, runnable }, engine, owners }: ErrorWorkflowsPartDeps,
): Part {
  const store = createErrorWorkflowStore(db);
  const loop = createErrorRuns({
    store,
    engine,
    findWorkflow: runnable.findCurrent,
    serviceUrl: config.serviceUrl,
    clock,
    onError: report,
  });
  return {
    routes: (http) =>
      errorWorkflowRoutes(http, {
        get: store.getDefault,
        async set(userId, workflowId) {
          if (workflowId !== null) await workflows.get(userId, workflowId);
          await store.setDefault(userId, workflowId);
          await owners.reload();
          db.notify(DEFAULT_CHANNEL, "");
        },
      }),
    start() {
      void db
        .listen(FAILED_RUN_CHANNEL, loop.poll)
        .catch((error: unknown) => report(error, "listening for failed runs"));
      loop.poll();
    },
    stop: loop.close,
  };
}
