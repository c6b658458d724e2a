import type { Engine } from "../engine/engine-api.ts";
import type { Part, Platform } from "../platform/part.ts";
import type { WorkflowsPart } from "../workflows/part.ts";
import { runRoutes } from "./run.routes.ts";
import { taskEventRoutes } from "./task-event.routes.ts";
import { taskStepRoutes } from "./task-step.routes.ts";
import { taskRoutes } from "./task.routes.ts";
import { createTaskStore } from "./task.sql.ts";
import { createTasks, type Tasks } from "./tasks.ts";

export interface TasksPart extends Part {
  tasks: Tasks;
}

export function createTasksPart(
  { clock, config, db, limits }: Platform,
  { workflows, runnable }: WorkflowsPart,
  engine: Engine,
): TasksPart {
  const tasks = createTasks({
    store: createTaskStore(db),
    engine,
    async runnable(userId, id, version) {
      const current = await workflows.get(userId, id);
      if (version !== undefined) await workflows.requireRunnable(userId, id, version);
      return runnable.getVersion(id, version ?? current.version);
    },
  });
  return {
    tasks,
    routes(http) {
      runRoutes(http, { tasks, engine, syncTimeoutMs: config.syncTimeoutMs });
      taskRoutes(http, tasks);
      taskStepRoutes(http, tasks);
      taskEventRoutes(http, { tasks, engine, clock, openStream: limits.openStream });
    },
  };
}
