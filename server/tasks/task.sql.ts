import type { PageQuery } from "../../contract/api.ts";
import { notFound } from "../lib/errors.ts";
import { isId } from "../lib/ids.ts";
import { type Page, toPage } from "../lib/page.ts";
import type { TaskSummary } from "./task-view.ts";
import { SUMMARY_COLUMNS } from "./task-columns.sql.ts";
import type { Db } from "../storage/db.ts";
import { toTask } from "../storage/engine/task-rows.ts";
import { throwNotFoundOrForbidden } from "../storage/ownership.ts";

export interface ApprovalFilter extends PageQuery {
  taskId?: string | undefined;
}

export interface PendingApproval {
  taskId: string;
  workflowId: string;
  stepId: string;
  message: string;
  /** JSON of the data shown with the question. */
  context: string | null;
  requestedAt: number;
  dueAt: number | null;
  notice: { attempts: number; sentAt: number | null; error: string | null };
}

export type TaskStore = ReturnType<typeof createTaskStore>;

export function createTaskStore(db: Db) {
  return {
    /** Throws `task_not_found` or `forbidden`. */
    async get(taskId: string, ownerId: string): Promise<TaskSummary> {
      if (!isId("task", taskId)) throw notFound("task");
      const [row] = await db.query(
        `select ${SUMMARY_COLUMNS} from task where id = $taskId and owner_id = $ownerId`,
        {
          taskId,
          ownerId,
        },
      );
      return row === undefined ? throwNotFoundOrForbidden(db, "task", "task", taskId) : toTask(row);
    },

    async listApprovals(
      ownerId: string,
      { limit, cursor, taskId }: ApprovalFilter,
    ): Promise<Page<PendingApproval>> {
      const [requestedAt, path] = splitCursor(cursor);
      const ofTask = taskId === undefined ? "" : " and a.task_id = $taskId";
      const rows = await db.query(
        `select a.task_id, a.path, a.message, a.context, a.requested_at, a.due_at, a.notice_attempts, a.notice_sent_at,
           a.notice_error, t.workflow_id from approval as a join task as t on t.id = a.task_id
         where a.owner_id = $ownerId${ofTask} and a.decided_at is null
           and t.status not in ('completed', 'failed', 'cancelled', 'rejected')
           and (a.requested_at < $requestedAt or (a.requested_at = $requestedAt and a.task_id || a.path < $path))
         order by a.requested_at desc, a.task_id || a.path desc limit $limit`,
        { ownerId, requestedAt, path, limit: limit + 1, taskId: taskId ?? null },
      );
      const approvals = rows.map((row) => ({
        taskId: row["task_id"] as string,
        workflowId: row["workflow_id"] as string,
        stepId: row["path"] as string,
        message: row["message"] as string,
        context: row["context"] as string | null,
        requestedAt: Number(row["requested_at"]),
        dueAt: timeOf(row["due_at"]),
        notice: {
          attempts: Number(row["notice_attempts"]),
          sentAt: timeOf(row["notice_sent_at"]),
          error: row["notice_error"] as string | null,
        },
      }));
      return toPage(approvals, limit, (entry) => `${entry.requestedAt}:${entry.taskId}${entry.stepId}`);
    },
  };
}

function timeOf(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value);
}

function splitCursor(cursor: string | undefined): [number, string] {
  const [time = "", ...rest] = (cursor ?? "").split(":");
  return [Number(time || Number.MAX_SAFE_INTEGER) || 0, rest.join(":")];
}
