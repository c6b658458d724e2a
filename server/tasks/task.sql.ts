import { notFound } from "../lib/errors.ts";
import { isId } from "../lib/ids.ts";
import { toPage } from "../lib/page.ts";
import type { TaskStore } from "./tasks.ts";
import type { Db } from "../storage/db.ts";
import { toTask } from "../storage/engine/rows.ts";
import { throwNotFoundOrForbidden } from "../storage/ownership.ts";
import { AFTER_EVERY_ID } from "../storage/paging.ts";

/** Never input, result or journal: a list stays quick however large those are. */
const SUMMARY = `id, owner_id, workflow_id, workflow_version, status, trigger, null as input, null as result, error, parent_task_id,
  created_at, started_at, completed_at`;

/** The task that drives a session has the session's id and is none that people see. By the id, because the index has it. */
const SHOWN = "id > 'task_'";

export function createTaskStore(db: Db): TaskStore {
  return {
    async owned(taskId, ownerId) {
      if (!isId("task", taskId)) throw notFound("task");
      const [row] = await db.query(`select ${SUMMARY} from task where id = $1 and owner_id = $2`, [
        taskId,
        ownerId,
      ]);
      return row === undefined ? throwNotFoundOrForbidden(db, "task", "task", taskId) : toTask(row);
    },

    async list(ownerId, { limit, cursor, status, workflowId }) {
      const params: (string | number)[] = [ownerId, cursor ?? AFTER_EVERY_ID, limit + 1];
      let conditions = "";
      if (status !== undefined)
        conditions += ` and status = $${params.push(status)}${status === "completed" ? "" : " and status <> 'completed'"}`;
      if (workflowId !== undefined) conditions += ` and workflow_id = $${params.push(workflowId)}`;
      const rows = await db.query(
        `select ${SUMMARY} from task where owner_id = $1 and id < $2 and ${SHOWN}${conditions} order by id desc limit $3`,
        params,
      );
      return toPage(rows.map(toTask), limit, ({ id }) => id);
    },

    async approvals(ownerId, { limit, cursor, taskId }) {
      const [requestedAt, path] = splitCursor(cursor);
      const params = [ownerId, requestedAt, path, limit + 1];
      const ofTask = taskId === undefined ? "" : ` and a.task_id = $${params.push(taskId)}`;
      const rows = await db.query(
        `select a.task_id, a.path, a.message, a.requested_at, t.workflow_id from approval as a join task as t on t.id = a.task_id
         where a.owner_id = $1${ofTask} and a.decided_at is null and t.status not in ('completed', 'failed', 'cancelled', 'rejected') and (a.requested_at < $2 or (a.requested_at = $2 and a.task_id || a.path < $3))
         order by a.requested_at desc, a.task_id || a.path desc limit $4`,
        params,
      );
      const approvals = rows.map((row) => ({
        taskId: row["task_id"] as string,
        workflowId: row["workflow_id"] as string,
        stepId: row["path"] as string,
        message: row["message"] as string,
        requestedAt: Number(row["requested_at"]),
      }));
      return toPage(approvals, limit, (entry) => `${entry.requestedAt}:${entry.taskId}${entry.stepId}`);
    },
  };
}

function splitCursor(cursor: string | undefined): [number, string] {
  const [time = "", ...rest] = (cursor ?? "").split(":");
  return [Number(time || Number.MAX_SAFE_INTEGER) || 0, rest.join(":")];
}
