import type { RunSettings } from "../../contract/workflow-settings.ts";
import type { Db, Row } from "../storage/db.ts";

/** A failed run, with the workflow that runs because of it. */
export interface FailedRun {
  taskId: string;
  /** Tells the failures of reruns apart. */
  epoch: number;
  ownerId: string;
  failedAt: number;
  workflowId: string | null;
  workflowName: string | null;
  /** That of the workflow, then that of the workspace. */
  errorWorkflowIds: string[];
}

export type ErrorWorkflowStore = ReturnType<typeof createErrorWorkflowStore>;

export function createErrorWorkflowStore(db: Db) {
  return {
    async getDefault(ownerId: string): Promise<string | null> {
      const [row] = await db.query(
        `select error_workflow_id from workspace where id = $ownerId
           and exists (select 1 from workflow as w where w.id = error_workflow_id and w.deleted_at is null)`,
        { ownerId },
      );
      return (row?.["error_workflow_id"] as string | null | undefined) ?? null;
    },

    async setDefault(ownerId: string, workflowId: string | null): Promise<void> {
      await db.batch([
        {
          sql: "update workspace set error_workflow_id = $workflowId where id = $ownerId",
          params: { ownerId, workflowId },
        },
      ]);
    },

    /** Workspaces with a default. */
    async listOwners(): Promise<string[]> {
      const rows = await db.query("select id from workspace where error_workflow_id is not null");
      return rows.map((row) => row["id"] as string);
    },

    async oldest(limit: number): Promise<FailedRun[]> {
      const rows = await db.query(
        `select f.task_id, f.epoch, f.owner_id, f.failed_at, t.workflow_id, w.name as workflow_name, w.settings, a.error_workflow_id
         from failed_run as f left join task as t on t.id = f.task_id left join workflow as w on w.id = t.workflow_id
           left join workspace as a on a.id = f.owner_id
         order by f.failed_at, f.task_id limit $limit`,
        { limit },
      );
      return rows.map(toFailedRun);
    },

    async remove({ taskId, epoch }: Pick<FailedRun, "taskId" | "epoch">): Promise<void> {
      await db.batch([
        {
          sql: "delete from failed_run where task_id = $taskId and epoch = $epoch",
          params: { taskId, epoch },
        },
      ]);
    },
  };
}

function toFailedRun(row: Row): FailedRun {
  const settings = JSON.parse((row["settings"] as string | null) ?? "{}") as RunSettings;
  return {
    taskId: row["task_id"] as string,
    epoch: Number(row["epoch"]),
    ownerId: row["owner_id"] as string,
    failedAt: Number(row["failed_at"]),
    workflowId: row["workflow_id"] as string | null,
    workflowName: row["workflow_name"] as string | null,
    errorWorkflowIds: [settings.errorWorkflowId, row["error_workflow_id"] as string | null].filter(
      (id) => typeof id === "string",
    ),
  };
}
