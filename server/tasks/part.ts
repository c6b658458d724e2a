import { askDocumentsWorkflow } from "../agents/ask-documents.ts";
import { createEngine } from "../engine/engine.ts";
import type { Engine, RunnableWorkflow } from "../engine/engine-api.ts";
import { runRoutes } from "./run.routes.ts";
import { taskEventRoutes } from "./task-event.routes.ts";
import { taskRoutes } from "./task.routes.ts";
import { createBlobs } from "../lib/blob-store.ts";
import { notFound } from "../lib/errors.ts";
import { createRetention, type Retention } from "../retention/retention.ts";
import { createExpressions } from "../steps/expressions.ts";
import { createStepRunners, type StepRunnersDeps } from "../steps/registry.ts";
import { createEngineStore } from "../storage/engine/engine-store.ts";
import { createPeers } from "../storage/engine/peers.ts";
import { createRetentionStore } from "../retention/retention.sql.ts";
import { createTaskStore } from "./task.sql.ts";
import { createTasks, type Tasks } from "./tasks.ts";
import { sessionWorkflow } from "../teams/driven-session.ts";
import type { Platform, Part } from "../platform/part.ts";
import type { SessionsPart } from "../teams/sessions/part.ts";
import type { WorkflowsPart } from "../workflows/part.ts";

export interface EnginePart extends Part {
  engine: Engine;
  tasks: Tasks;
}

/** Runs: the engine with its runners, the tasks that people see, and the pruning of old ones. */
export async function createEnginePart(
  { config, clock, db, files, metrics, egress, report }: Platform,
  { workflows, endpoints, vault }: WorkflowsPart,
  others: StepRunnersDeps["others"],
  driving: SessionsPart["driving"],
): Promise<EnginePart> {
  const expressions = createExpressions();
  const blobs = createBlobs(files.area("blobs"));
  const engine = await createEngine({
    store: createEngineStore(db),
    blobs,
    clock,
    runners: createStepRunners({ egress, expressions, files, smtp: config.smtp, others }),
    vault,
    loadWorkflow: (id, version) => builtIn(id) ?? endpoints.cachedVersion(id, version),
    currentWorkflow: async (ownerId, id) => (await endpoints.runnable(id, ownerId)) ?? missingWorkflow(),
    concurrency: config.workerConcurrency,
    closeGraceMs: config.stopGraceMs,
    ...(config.database.url !== undefined && {
      leaseMs: config.leaseMs,
      peers: createPeers(db),
    }),
    ...driving,
    onError: report,
  });
  metrics.watchWork(engine.stats);
  let retention: Retention | undefined;
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
    begin() {
      retention = createRetention({
        store: createRetentionStore(db),
        blobs,
        clock,
        retentionDays: config.retentionDays,
        compact: db.compact,
        onError: (error) => report(error, "pruning old tasks"),
      });
    },
    // Beside the last requests and not after them: a caller may be waiting for a run that does not end in time.
    stop: () => engine.close(),
    async close() {
      await Promise.all([retention?.close(), expressions.close()]);
    },
  };
}

/** Graphs that come with the program, under ids that no workflow of anybody's can have. */
function builtIn(id: string): Promise<RunnableWorkflow> | undefined {
  const found = [sessionWorkflow, askDocumentsWorkflow].find((workflow) => workflow.id === id);
  return found === undefined ? undefined : Promise.resolve(found);
}

function missingWorkflow(): never {
  throw notFound("workflow");
}
