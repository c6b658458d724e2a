import type { Engine } from "../engine/engine-api.ts";
import { AppError } from "../lib/errors.ts";
import type { AdminTaskStore } from "./admin-task.sql.ts";

/** In one request; a client repeats it while more are left. */
const STOPPED_PER_REQUEST = 500;

export type AdminTasks = ReturnType<typeof createAdminTasks>;

/** The open runs of all workspaces. */
export function createAdminTasks(store: AdminTaskStore, engine: Pick<Engine, "cancel">) {
  return {
    list: store.list,

    async stop(id: string): Promise<void> {
      if (!(await store.isOpen(id)) || !(await engine.cancel(id)))
        throw new AppError("task_finished", "The task has already ended.");
    },

    async stopAll(workspaceId: string): Promise<{ stopped: number; hasMore: boolean }> {
      const ids = await store.listOpen(workspaceId, STOPPED_PER_REQUEST + 1);
      let stopped = 0;
      for (const id of ids.slice(0, STOPPED_PER_REQUEST)) if (await engine.cancel(id)) stopped += 1;
      return { stopped, hasMore: ids.length > STOPPED_PER_REQUEST };
    },
  };
}
