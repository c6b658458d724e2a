import { notFound } from "../lib/errors.ts";
import { isId } from "../lib/ids.ts";
import type { TaskSummary } from "./task-view.ts";
import { SUMMARY_COLUMNS } from "./task-columns.sql.ts";
import type { Db } from "../storage/db.ts";
import { toTask } from "../storage/engine/task-rows.ts";
import { throwNotFoundOrForbidden } from "../storage/ownership.ts";

export type TaskStore = ReturnType<typeof createTaskStore>;

export function createTaskStore(db: Db) {
  return {
    /** Throws `task_not_found` or `forbidden`. */
    async get(taskId: string, ownerId: string): Promise<TaskSummary> {
      if (!isId("task", taskId)) throw notFound("task", taskId);
      const [row] = await db.query(
        `select ${SUMMARY_COLUMNS} from task where id = $taskId and owner_id = $ownerId`,
        {
          taskId,
          ownerId,
        },
      );
      return row === undefined ? throwNotFoundOrForbidden(db, "task", "task", taskId) : toTask(row);
    },
  };
}
