import { TASK_LANE } from "../../engine/worker/lane.ts";
import { AppError } from "../../lib/errors.ts";
import type { Db } from "../db.ts";
import { announceEnded, cancelTree } from "./end-tree.ts";
import { FINAL } from "./task-sql.ts";

const TASKS_PER_BATCH = 50;

/** Which tasks to cancel. */
export type CancelFilter = { owner: string } | { workflow: string } | { root: string };

/**
 * Cancels the tasks that have not ended, with the tasks that they started. Those at the top come first, because one write
 * then ends a whole run. If it is interrupted, the next call cancels the rest.
 */
export async function cancelTasks(
  db: Db,
  filter: CancelFilter,
  now: () => number,
  onProgress: (count: number) => void = () => undefined,
): Promise<number> {
  const { condition, value } = await conditionOf(db, filter);
  let count = 0;
  for (;;) {
    const rows = await db.query<{ id: string }>(
      `select id from task where ${condition} and lane = '${TASK_LANE}' and status not in ${FINAL}
       order by depth, id limit ${TASKS_PER_BATCH}`,
      { value },
    );
    if (rows.length === 0) return count;
    for (const { id } of rows) count += announceEnded(db, await db.batch(cancelTree(id, now()))).length;
    onProgress(count);
  }
}

async function conditionOf(db: Db, filter: CancelFilter): Promise<{ condition: string; value: string }> {
  if ("workflow" in filter) return { condition: "workflow_id = $value", value: filter.workflow };
  if ("root" in filter) return { condition: "(id = $value or root_task_id = $value)", value: filter.root };
  return { condition: "owner_id = $value", value: await workspaceIdOf(db, filter.owner) };
}

/** `owner` is the id of a workspace, or the email address of a person with a personal workspace. */
export async function workspaceIdOf(db: Db, owner: string): Promise<string> {
  const [workspace] = await db.query<{ id: string }>(
    "select id from workspace where id = $owner union select id from account where lower(email) = lower($owner)",
    { owner },
  );
  if (workspace === undefined) throw new AppError("usage", `There is no account or workspace ${owner}.`);
  return workspace.id;
}
