import type { RetentionStore, Shelf } from "./retention-store.ts";
import type { Db } from "../storage/db.ts";
import { FINAL } from "../storage/engine/statuses.ts";
import { createSessionShelf } from "../teams/store/session-retention.sql.ts";

const OPEN = "('queued', 'running', 'waiting', 'waiting_approval')";
/** A replay may outlive what it replays, since it has copies of all it took over; a sub-workflow goes after its parent. */
const HAS_PARENT = `
  exists (select 1 from task as p where p.id = t.parent_task_id and (t.parent_step is not null or p.status not in ${FINAL}))`;

export function createRetentionStore(db: Db): RetentionStore {
  return {
    tasks: createTaskShelf(db),
    sessions: createSessionShelf(db),
    async dropKeys(before, limit) {
      const [dropped = []] = await db.batch([
        {
          sql: `delete from idempotency where (scope, key) in
                  (select scope, key from idempotency where created_at <= $1 order by created_at limit $2) returning 1 as one`,
          params: [before, limit],
        },
      ]);
      return dropped.length;
    },
  };
}

function createTaskShelf(db: Db): Shelf {
  return {
    async survey(afterId, cutoff, limit) {
      const rows = await db.query(
        `select t.id, t.owner_id, t.created_at, case when t.status in ${FINAL} and t.completed_at < $2 and not ${HAS_PARENT} then 1 else 0 end as prunable,
           (select count(*) from journal as j where j.task_id = t.id) as rows
         from (select * from task where id > $1 and id > 'task_' order by id limit $3) as t order by t.id`,
        [afterId, cutoff, limit],
      );
      const last = rows.at(-1);
      const prunable = rows.filter((row) => Number(row["prunable"]) === 1);
      const awaited = await withOpenChildren(
        prunable.map((row) => [row["owner_id"] as string, row["id"] as string]),
      );
      return {
        prunable: prunable
          .map((row) => ({ id: row["id"] as string, rows: Number(row["rows"]) }))
          .filter(({ id }) => !awaited.has(id)),
        lastId: last === undefined || Number(last["created_at"]) >= cutoff ? null : (last["id"] as string),
      };
    },

    async hide(taskId) {
      const [hidden = []] = await db.batch([
        {
          sql: `update task set owner_id = '' where id = $1 and status in ${FINAL} returning id`,
          params: [taskId],
        },
      ]);
      return hidden.length === 1;
    },

    async trim(taskId, limit) {
      const [trimmed = []] = await db.batch([
        {
          sql: `delete from journal where task_id = $1 and seq in (select seq from journal where task_id = $1 order by seq limit $2) returning 1 as one`,
          params: [taskId, limit],
        },
      ]);
      return trimmed.length;
    },

    async remove(taskIds) {
      const ids = JSON.stringify(taskIds);
      const chosen = "(select value from json_each(cast($1 as text)))";
      // The task first: whatever a rerun has opened again keeps its row, and with it everything else.
      const [removed = []] = await db.batch([
        { sql: `delete from task where id in ${chosen} and status in ${FINAL} returning id`, params: [ids] },
        ...["journal", "approval"].map((table) => ({
          sql: `delete from ${table} where task_id in ${chosen} and not exists (select 1 from task where id = ${table}.task_id)`,
          params: [ids],
        })),
      ]);
      return removed.map((row) => row["id"] as string);
    },
  };

  /** Those with an unfinished sub-workflow or replay. Replays have no index by parent; an owner's open tasks are few. */
  async function withOpenChildren(
    tasks: readonly (readonly [ownerId: string, id: string])[],
  ): Promise<Set<string>> {
    if (tasks.length === 0) return new Set();
    const rows = await db.query(
      `select parent_task_id from task
       where owner_id in (select value from json_each(cast($1 as text))) and id > 'task_' and status <> 'completed' and status in ${OPEN}
         and parent_task_id in (select value from json_each(cast($2 as text)))`,
      [
        JSON.stringify([...new Set(tasks.map(([ownerId]) => ownerId))]),
        JSON.stringify(tasks.map(([, id]) => id)),
      ],
    );
    return new Set(rows.map((row) => row["parent_task_id"] as string));
  }
}
