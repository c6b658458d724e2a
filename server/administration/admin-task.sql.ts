import type { AdminTask } from "../../contract/admin-instance.ts";
import type { PageQuery } from "../../contract/api.ts";
import { TASK_LANE } from "../engine/worker/lane.ts";
import { toIso } from "../lib/clock.ts";
import { notFound } from "../lib/errors.ts";
import { type Page, toPage } from "../lib/page.ts";
import type { Db, Row } from "../storage/db.ts";
import { FINAL } from "../storage/engine/task-sql.ts";
import { AFTER_EVERY_ID } from "../storage/paging.ts";

export type AdminTaskStore = ReturnType<typeof createAdminTaskStore>;

/** The name of a workspace for people who are not its members: every personal one is called "Personal". */
export const WORKSPACE_NAME =
  "case when w.kind = 'personal' then coalesce((select a.email from account as a where a.id = w.id), w.name) else w.name end";

/** Reads no input, output or error: administrators see that something runs, not what. */
const COLUMNS = `t.id, t.status, t.created_at, t.started_at, t.worker_id, w.id as workspace_id, ${WORKSPACE_NAME} as workspace_name,
  (select f.name from workflow as f where f.id = t.workflow_id) as workflow_name,
  (select j.path from journal as j where j.task_id = t.id order by j.seq desc limit 1) as last_step`;

export function createAdminTaskStore(db: Db) {
  return {
    /**
     * By workspace, newest first. Workspace by workspace the index of open tasks is read in its order, so that neither many
     * ended tasks nor many open ones make a page slow.
     */
    async list(status: AdminTask["status"], { limit, cursor }: PageQuery): Promise<Page<AdminTask>> {
      const [workspaceId = "", taskId = AFTER_EVERY_ID] = cursor?.split(" ") ?? [];
      const rows = await db.query(
        `select ${COLUMNS} from workspace as w
           join task as t on t.owner_id = w.id and t.status = $status and t.status <> 'completed' and t.lane = '${TASK_LANE}'
         where w.id >= $workspaceId and (w.id > $workspaceId or t.id < $taskId)
         order by w.id, t.id desc limit $limit`,
        { status, workspaceId, taskId, limit: limit + 1 },
      );
      return toPage(rows.map(toTask), limit, ({ id, workspace }) => `${workspace.id} ${id}`);
    },

    /** Throws `task_not_found`. False when it has ended. */
    async isOpen(id: string): Promise<boolean> {
      const [row] = await db.query(
        `select case when status in ${FINAL} then 0 else 1 end as open from task where id = $id and lane = '${TASK_LANE}'`,
        { id },
      );
      if (row === undefined) throw notFound("task");
      return Number(row["open"]) === 1;
    },

    /** Those at the top first, because they end the others. Throws `workspace_not_found`. */
    async listOpen(workspaceId: string, limit: number): Promise<string[]> {
      const [workspace] = await db.query("select id from workspace where id = $workspaceId", { workspaceId });
      if (workspace === undefined) throw notFound("workspace");
      const rows = await db.query<{ id: string }>(
        `select id from task where owner_id = $workspaceId and status <> 'completed' and status not in ${FINAL}
           and lane = '${TASK_LANE}' order by depth, id limit $limit`,
        { workspaceId, limit },
      );
      return rows.map(({ id }) => id);
    },
  };
}

function toTask(row: Row): AdminTask {
  return {
    id: row["id"] as string,
    workspace: { id: row["workspace_id"] as string, name: row["workspace_name"] as string },
    workflowName: row["workflow_name"] as string | null,
    status: row["status"] as AdminTask["status"],
    createdAt: toIso(Number(row["created_at"])),
    startedAt: row["started_at"] === null ? null : toIso(Number(row["started_at"])),
    process: row["worker_id"] as string | null,
    lastStep: row["last_step"] as string | null,
  };
}
