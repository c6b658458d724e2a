import type { Db, Statement } from "../../storage/db.ts";
import { forgetHours } from "../../storage/engine/task-hours.ts";
import { FINAL } from "../../storage/engine/task-sql.ts";

/** A move whose runs are still in the former workspace. */
export interface OpenMove {
  workflowId: string;
  sourceId: string;
  /** The workspace that the workflow is in now. */
  targetId: string;
  createdAt: number;
  /** Files that were copied to the target and whose bytes may still be in the source. */
  copiedFiles: string[];
}

export interface HistoryBatch {
  taskIds: string[];
  /** Used by runs of this workflow only; a file that others use stays with them. */
  fileIds: string[];
}

/** Rows that name the owner of their task. */
const OF_TASK = [
  { table: "approval", key: "task_id" },
  { table: "event_wait", key: "task_id" },
  { table: "failed_run", key: "task_id" },
  { table: "run_group_member", key: "task_id" },
  { table: "a2a_task", key: "id" },
  { table: "a2a_message", key: "task_id" },
] as const;
const COLUMNS = `workflow_id, owner_id, created_at, copied_files,
  (select w.owner_id from workflow as w where w.id = workflow_move.workflow_id) as target_id`;

export type HistoryStore = ReturnType<typeof createHistoryStore>;

/** The runs of moved workflows. A batch is one transaction, so a run is in one workspace at any time. */
export function createHistoryStore(db: Db) {
  return {
    /** The oldest open move that no process works on, or the one of `workflowId`; it is the caller's until `until`. */
    async claim(
      { now, until }: { now: number; until: number },
      workflowId?: string,
    ): Promise<OpenMove | undefined> {
      const [claimed = []] = await db.batch(
        [
          {
            sql: `update workflow_move set claimed_until = $until where (workflow_id, owner_id) in
                    (select workflow_id, owner_id from workflow_move where claimed_until <= $now
                       ${workflowId === undefined ? "" : "and workflow_id = $workflowId"}
                     order by created_at, workflow_id limit 1 /*skip-locked*/)
                  returning ${COLUMNS}`,
            params: { now, until, ...(workflowId !== undefined && { workflowId }) },
          },
        ],
        { alone: true },
      );
      const [row] = claimed;
      return (
        row && {
          workflowId: String(row["workflow_id"]),
          sourceId: String(row["owner_id"]),
          targetId: String(row["target_id"]),
          createdAt: Number(row["created_at"]),
          copiedFiles: JSON.parse(String(row["copied_files"])) as string[],
        }
      );
    },

    async release({ workflowId, sourceId }: OpenMove, until: number): Promise<void> {
      await db.batch([
        {
          sql: "update workflow_move set claimed_until = $until where workflow_id = $workflowId and owner_id = $sourceId",
          params: { workflowId, sourceId, until },
        },
      ]);
    },

    async finish({ workflowId, sourceId }: OpenMove): Promise<void> {
      await db.batch([
        {
          sql: `delete from workflow_move where workflow_id = $workflowId and owner_id = $sourceId and copied_files = '[]'`,
          params: { workflowId, sourceId },
        },
      ]);
    },

    /** The next runs that have ended. */
    async nextBatch({ workflowId, sourceId }: OpenMove, limit: number): Promise<HistoryBatch> {
      const tasks = await db.query<{ id: string }>(
        `select id from task where owner_id = $sourceId and workflow_id = $workflowId and status in ${FINAL}
         order by id limit $limit`,
        { workflowId, sourceId, limit },
      );
      const taskIds = tasks.map(({ id }) => id);
      const files = await db.query<{ id: string }>(
        `select distinct f.id as id from task_file as l join run_file as f on f.id = l.file_id
         where l.task_id in (select value from json_each(cast($ids as text))) and f.owner_id = $sourceId
           and coalesce(f.unlinked_at, 0) >= 0
           and not exists (select 1 from task_file as o join task as t on t.id = o.task_id
                           where o.file_id = f.id and t.workflow_id <> $workflowId)`,
        { ids: JSON.stringify(taskIds), sourceId, workflowId },
      );
      return { taskIds, fileIds: files.map(({ id }) => id) };
    },

    /** True while a run that was accepted just before the move has not ended. */
    async hasRuns({ workflowId, sourceId }: OpenMove): Promise<boolean> {
      const rows = await db.query(
        "select 1 as one from task where owner_id = $sourceId and workflow_id = $workflowId limit 1",
        { workflowId, sourceId },
      );
      return rows.length > 0;
    },

    /** False when the workflow has another owner by now: nothing was moved. */
    async moveBatch(
      { workflowId, sourceId, targetId }: OpenMove,
      { taskIds, fileIds }: HistoryBatch,
    ): Promise<boolean> {
      const ids = JSON.stringify(taskIds);
      const files = JSON.stringify(fileIds);
      const moved = `(select id from task where owner_id = $targetId and id in (select value from json_each(cast($ids as text))))`;
      const isTarget = "exists (select 1 from workflow where id = $workflowId and owner_id = $targetId)";
      const params = { workflowId, sourceId, targetId, ids };
      const dropHours = forgetHours(taskIds);
      const before: Statement[] = [
        { sql: "select id from workflow where id = $workflowId /*for-update*/", params: { workflowId } },
        ...dropHours,
      ];
      const results = await db.batch(
        [
          ...before,
          {
            sql: `update task set owner_id = $targetId where owner_id = $sourceId and workflow_id = $workflowId
                    and status in ${FINAL} and ${isTarget} and id in (select value from json_each(cast($ids as text))) returning id`,
            params,
          },
          // Now they count in the hours of the new workspace.
          ...dropHours,
          ...OF_TASK.map(({ table, key }) => ({
            sql: `update ${table} set owner_id = $targetId where owner_id = $sourceId and ${key} in ${moved}`,
            params: { sourceId, targetId, ids },
          })),
          {
            sql: `update run_file set owner_id = $targetId where owner_id = $sourceId and ${isTarget}
                    and id in (select value from json_each(cast($files as text)))`,
            params: { workflowId, sourceId, targetId, files },
          },
          {
            sql: `update workflow_move set copied_files = $files
                  where workflow_id = $workflowId and owner_id = $sourceId and ${isTarget}`,
            params: { workflowId, sourceId, targetId, files },
          },
        ],
        { alone: true },
      );
      return (results[before.length] ?? []).length > 0;
    },

    /** After the bytes in the source were removed. */
    async forgetFiles({ workflowId, sourceId }: OpenMove): Promise<void> {
      await db.batch([
        {
          sql: "update workflow_move set copied_files = '[]' where workflow_id = $workflowId and owner_id = $sourceId",
          params: { workflowId, sourceId },
        },
      ]);
    },

    /** Messages of chats that start the workflow; returns how many. */
    async moveChatMessages({ workflowId, sourceId, targetId }: OpenMove, limit: number): Promise<number> {
      const [moved = []] = await db.batch([
        {
          sql: `update chat_exchange set owner_id = $targetId where id in
                  (select e.id from chat_exchange as e join triggers as t on t.id = e.trigger_id
                   where t.workflow_id = $workflowId and t.owner_id = $targetId and e.owner_id = $sourceId limit $limit)
                returning id`,
          params: { workflowId, sourceId, targetId, limit },
        },
      ]);
      return moved.length;
    },
  };
}
