import { join } from "node:path";
import { createEngine } from "../engine/engine.ts";
import type { Engine } from "../engine/engine-api.ts";
import { runRoutes } from "../http/run-routes.ts";
import { taskEventRoutes } from "../http/task-event-routes.ts";
import { taskRoutes } from "../http/task-routes.ts";
import { createFolderBlobs } from "../lib/blob-store.ts";
import { notFound } from "../lib/errors.ts";
import { createRetention } from "../retention/retention.ts";
import { createExpressions } from "../steps/expressions.ts";
import { createStepRunners, type StepRunnersDeps } from "../steps/registry.ts";
import { createEngineStore } from "../storage/engine/engine-store.ts";
import { createRetentionStore } from "../storage/retention-store.ts";
import { createTaskStore } from "../storage/task-store.ts";
import { createTasks, type Tasks } from "../tasks/tasks.ts";
import type { Ground, Part } from "./part.ts";
import type { WorkflowsPart } from "./workflows.ts";

export interface EnginePart extends Part {
  engine: Engine;
  tasks: Tasks;
}

/** Runs: the engine with its runners, the tasks that people see, and the pruning of old ones. */
export async function createEnginePart(
  { config, clock, db, egress, report }: Ground,
  { workflows, endpoints, vault }: WorkflowsPart,
  others: StepRunnersDeps["others"],
): Promise<EnginePart> {
  const expressions = createExpressions();
  const blobs = createFolderBlobs(join(config.dataDir, "blobs"));
  const engine = await createEngine({
    store: createEngineStore(db),
    blobs,
    clock,
    runners: createStepRunners({ egress, expressions, dataDir: config.dataDir, smtp: config.smtp, others }),
    vault,
    loadWorkflow: (id, version) => endpoints.atVersion(id, version),
    currentWorkflow: async (ownerId, id) => (await endpoints.runnable(id, ownerId)) ?? missingWorkflow(),
    concurrency: config.workerConcurrency,
    onError: report,
  });
  const retention = createRetention({
    store: createRetentionStore(db),
    blobs,
    clock,
    retentionDays: config.retentionDays,
    compact: db.compact,
    onError: (error) => report(error, "pruning old tasks"),
  });
  const tasks = createTasks({
    store: createTaskStore(db),
    engine,
    async runnable(userId, id, version) {
      const current = await workflows.get(userId, id);
      if (version !== undefined) await workflows.requireRunnable(userId, id, version);
      return endpoints.atVersion(id, version ?? current.version);
    },
  });
  return {
    engine,
    tasks,
    routes(http) {
      runRoutes(http, { tasks, engine, syncTimeoutMs: config.syncTimeoutMs });
      taskRoutes(http, tasks);
      taskEventRoutes(http, { tasks, engine });
    },
    // Beside the last requests and not after them: a caller may be waiting for a run that does not end in time.
    stop: () => engine.close(),
    async close() {
      await Promise.all([retention.close(), expressions.close()]);
    },
  };
}

function missingWorkflow(): never {
  throw notFound("workflow");
}
