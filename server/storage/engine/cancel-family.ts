import type { CancelledTask } from "../../engine/store.ts";
import type { Row, Statement } from "../db.ts";
import { toStatusEntry } from "./journal-rows.ts";
import { FINAL } from "./statuses.ts";
import { WAKE_TASK } from "./write-group.ts";

/** A task (`$1`) and what its steps have started, and theirs. */
function family(condition: string): string {
  return `with recursive family (id) as (
    select t.id from task as t where t.id = $1 ${condition}
    union select t.id from task as t join family as f on t.parent_task_id = f.id where t.parent_step is not null ${condition})`;
}

const FAMILY = family("");
/** As far as it has not ended. */
export const OPEN_FAMILY = family(`and t.status not in ${FINAL}`);

/**
 * Ends a task and everything it started that has not ended. `onlyIf` is a condition that must hold besides; its
 * parameters are `$3` and on.
 */
export function cancelFamily(
  taskId: string,
  now: number,
  onlyIf: { sql: string; params: readonly string[] } = { sql: "true", params: [] },
): Statement[] {
  return [
    lockFamily(taskId),
    {
      // The epoch moves: whoever still works on it can record nothing from here on.
      sql: `${OPEN_FAMILY}
            update task set status = 'cancelled', epoch = epoch + 1, worker_id = null, run_at = null, completed_at = $2
            where id in (select id from family) and ${onlyIf.sql} returning id`,
      params: [taskId, now, ...onlyIf.params],
    },
    {
      // Those that have just been cancelled are those whose journal does not say how they ended.
      sql: `${FAMILY}
            insert into journal (task_id, seq, epoch, kind, path, type, status, attempt, final, at)
            select t.id, coalesce((select max(seq) from journal where task_id = t.id), 0) + 1, t.epoch, 'status', '', '', 'cancelled', 0, 0, $2
            from task as t
            where t.id in (select id from family) and t.status = 'cancelled' and t.completed_at = $2
              and not exists (select 1 from journal as j where j.task_id = t.id and j.epoch = t.epoch)
            returning *`,
      params: [taskId, now],
    },
    {
      sql: `${FAMILY} delete from approval where task_id in (select f.id from family as f join task as t on t.id = f.id where t.status = 'cancelled')`,
      params: [taskId],
    },
    {
      sql: WAKE_TASK.replace(
        "id = $1",
        "id = (select parent_task_id from task where id = $1 and parent_step is not null)",
      ),
      params: [taskId, now],
    },
  ];
}

/**
 * First and by itself: a child that is being stored holds its parent, and whoever only looked before it was there would
 * leave it running. In the order in which runs lock what they write, so that neither waits for the other.
 */
function lockFamily(taskId: string): Statement {
  return {
    sql: `${OPEN_FAMILY}
          select id from task where id in (select id from family
            union all select parent_task_id from task where id = $1 and parent_step is not null)
          order by id /*for-update*/`,
    params: [taskId],
  };
}

/** What the statements of `cancelFamily` have returned. */
export function toCancelled([, cancelled = [], entries = []]: readonly Row[][]): CancelledTask[] {
  if (cancelled.length === 0) return [];
  return entries.map((row) => ({ taskId: row["task_id"] as string, entry: toStatusEntry(row) }));
}
