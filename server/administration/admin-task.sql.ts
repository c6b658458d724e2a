import type { AdminTask } from "../../contract/admin-instance.ts";
import type { PageQuery } from "../../contract/api.ts";
import { TASK_LANE } from "../engine/worker/lane.ts";
import { toIso } from "../lib/clock.ts";
import { notFound } from "../lib/errors.ts";
import { type ResultPage, toResultPage } from "../lib/result-page.ts";
import type { Db, Row } from "../storage/db.ts";
import { FINAL } from "../storage/engine/task-sql.ts";
import { AFTER_EVERY_ID } from "../storage/paging.ts";

export type AdminTaskStore = ReturnType<typeof createAdminTaskStore>;

/** The name of a workspace for people who are not its members: every personal one is called "Personal". */
export const WORKSPACE_NAME =
  "case when w.kind = 'personal' then coalesce((select a.email from account as a where a.id = w.id), w.name) else w.name end";

/** What is needed to stop it. */
export interface OpenTask {
  id: string;
  kind: Kind;
  workspaceId: string;
}

type Kind = AdminTask["kind"];

/** The rows of open work of one kind, beside the workspace `w` and the task `t`. */
const OPEN: Record<Kind, { join: string; teamName: string; lastStep: string; startedAt: string }> = {
  run: {
    join: `join task as t on t.owner_id = w.id and t.status <> 'completed' and t.status not in ${FINAL} and t.lane = '${TASK_LANE}'`,
    teamName: "null",
    lastStep: "(select j.path from journal as j where j.task_id = t.id order by j.seq desc limit 1)",
    startedAt: "t.started_at",
  },
  // The task of a session or a document stays when nothing is left to do: its record says whether it has ended.
  session: {
    join: `join session as s on s.owner_id = w.id and s.status in ('waiting', 'active') join task as t on t.id = s.id`,
    teamName: "(select team.name from team where team.id = s.team_id)",
    lastStep: "null",
    startedAt: "coalesce(t.started_at, s.started_at)",
  },
  ingestion: {
    join: `join document as d on d.owner_id = w.id and d.status = 'processing' and d.status <> 'indexed' join task as t on t.id = d.id`,
    teamName: "null",
    lastStep: "null",
    startedAt: "t.started_at",
  },
};
const KINDS = Object.keys(OPEN) as Kind[];

/** Reads no input, output or error: administrators see that something runs, not what. */
const columnsOf = (kind: Kind): string =>
  `t.id, '${kind}' as kind, t.status, t.created_at, ${OPEN[kind].startedAt} as started_at, t.worker_id, w.id as workspace_id, ${WORKSPACE_NAME} as workspace_name,
  (select f.name from workflow as f where f.id = t.workflow_id) as workflow_name, ${OPEN[kind].teamName} as team_name,
  ${OPEN[kind].lastStep} as last_step`;

export function createAdminTaskStore(db: Db) {
  return {
    /**
     * By workspace, newest first. Workspace by workspace the index of open work is read in its order, so that neither much
     * ended work nor much open work makes a page slow.
     */
    async list(
      kind: Kind,
      status: AdminTask["status"],
      { limit, cursor }: PageQuery,
    ): Promise<ResultPage<AdminTask>> {
      const [workspaceId = "", taskId = AFTER_EVERY_ID] = cursor?.split(" ") ?? [];
      const rows = await db.query(
        `select ${columnsOf(kind)} from workspace as w ${OPEN[kind].join}
         where t.status = $status and w.id >= $workspaceId and (w.id > $workspaceId or t.id < $taskId)
         order by w.id, t.id desc limit $limit`,
        { status, workspaceId, taskId, limit: limit + 1 },
      );
      return toResultPage(rows.map(toTask), limit, ({ id, workspace }) => `${workspace.id} ${id}`);
    },

    /** Throws `task_not_found`. Undefined when it has ended. */
    async findOpen(id: string): Promise<OpenTask | undefined> {
      const [known] = await db.query("select id from task where id = $id", { id });
      if (known === undefined) throw notFound("task", id);
      for (const kind of KINDS) {
        const [row] = await db.query(
          `select w.id as workspace_id from workspace as w ${OPEN[kind].join} where t.id = $id`,
          { id },
        );
        if (row !== undefined) return { id, kind, workspaceId: row["workspace_id"] as string };
      }
      return undefined;
    },

    /** Those at the top first, because they end the others. Throws `workspace_not_found`. */
    async listOpen(workspaceId: string, limit: number): Promise<OpenTask[]> {
      const [workspace] = await db.query("select id from workspace where id = $workspaceId", { workspaceId });
      if (workspace === undefined) throw notFound("workspace", workspaceId);
      const tasks: OpenTask[] = [];
      for (const kind of KINDS) {
        const rows = await db.query<{ id: string }>(
          `select t.id from workspace as w ${OPEN[kind].join} where w.id = $workspaceId
           order by t.depth, t.id limit $limit`,
          { workspaceId, limit: limit - tasks.length },
        );
        tasks.push(...rows.map(({ id }) => ({ id, kind, workspaceId })));
      }
      return tasks;
    },
  };
}

function toTask(row: Row): AdminTask {
  return {
    id: row["id"] as string,
    kind: row["kind"] as Kind,
    workspace: { id: row["workspace_id"] as string, name: row["workspace_name"] as string },
    teamName: row["team_name"] as string | null,
    workflowName: row["workflow_name"] as string | null,
    status: row["status"] as AdminTask["status"],
    createdAt: toIso(Number(row["created_at"])),
    startedAt: row["started_at"] === null ? null : toIso(Number(row["started_at"])),
    process: row["worker_id"] as string | null,
    lastStep: row["last_step"] as string | null,
  };
}
