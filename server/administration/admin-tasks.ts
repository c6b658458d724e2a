import type { AdminTask } from "../../contract/admin-instance.ts";
import { AppError } from "../lib/errors.ts";
import type { AdminTaskStore, OpenTask } from "./admin-task.sql.ts";

/** In one request; a client repeats it while more are left. */
const STOPPED_PER_REQUEST = 500;

/** How work of each kind is stopped. False when it has ended. */
export type StopTask = Record<AdminTask["kind"], (task: OpenTask) => Promise<boolean>>;

export type AdminTasks = ReturnType<typeof createAdminTasks>;

/** The open runs, sessions and ingestions of all workspaces. */
export function createAdminTasks(store: AdminTaskStore, stopTask: StopTask) {
  return {
    list: store.list,

    async stop(id: string): Promise<void> {
      const task = await store.findOpen(id);
      if (task === undefined || !(await stopTask[task.kind](task)))
        throw new AppError("task_finished", "The task has already ended.");
    },

    async stopAll(workspaceId: string): Promise<{ stopped: number; hasMore: boolean }> {
      const tasks = await store.listOpen(workspaceId, STOPPED_PER_REQUEST + 1);
      let stopped = 0;
      for (const task of tasks.slice(0, STOPPED_PER_REQUEST))
        if (await stopTask[task.kind](task)) stopped += 1;
      return { stopped, hasMore: tasks.length > STOPPED_PER_REQUEST };
    },
  };
}
