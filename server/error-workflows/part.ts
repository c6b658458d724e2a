import type { Engine } from "../engine/engine-api.ts";
import type { ErrorOwners } from "../engine/run/run.ts";
import type { DueLoop } from "../engine/worker/due-loop.ts";
import { createSubscribedOwners } from "../events/event-owners.ts";
import type { Part, Platform } from "../platform/part.ts";
import { FAILED_RUN_CHANNEL } from "../storage/engine/write-group.ts";
import type { WorkflowsPart } from "../workflows/part.ts";
import { createErrorRuns } from "./error-runs.ts";
import { errorWorkflowRoutes } from "./error-workflow.routes.ts";
import { createErrorWorkflowStore } from "./error-workflow.sql.ts";

export interface ErrorWorkflowsPart extends Part {
  /** For the engine, which stores the failures of these owners. */
  errorOwners: ErrorOwners;
  useEngine(engine: Engine): void;
}

const DEFAULT_CHANNEL = "error_workflow";

/** Workflows that run when a run of another one fails. */
export async function createErrorWorkflowsPart(
  { config, clock, db, report }: Platform,
  { workflows, runnable }: WorkflowsPart,
): Promise<ErrorWorkflowsPart> {
  const store = createErrorWorkflowStore(db);
  const owners = createSubscribedOwners(store.listOwners);
  await db.listen(DEFAULT_CHANNEL, () => {
    owners.reload().catch((error: unknown) => report(error, "reading the accounts with an error workflow"));
  });
  await owners.reload();
  let loop: DueLoop | undefined;
  return {
    errorOwners: owners,
    useEngine(engine) {
      const { findCurrent: findWorkflow } = runnable;
      const { serviceUrl } = config;
      loop = createErrorRuns({ store, engine, findWorkflow, serviceUrl, clock, onError: report });
    },
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
        .listen(FAILED_RUN_CHANNEL, () => loop?.poll())
        .catch((error: unknown) => report(error, "listening for failed runs"));
      loop?.poll();
    },
    stop: async () => loop?.close(),
  };
}
