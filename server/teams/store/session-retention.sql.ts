import { ownerConditions, type PrunableRecord, type PrunableTable } from "../../retention/prunable-table.ts";
import { SESSION_LANE } from "../session/session-task.ts";
import type { Db } from "../../storage/db.ts";
import { deleteFirst } from "../../storage/delete-first.ts";

const ENDED = "('completed', 'failed', 'cancelled')";
const HAS_OPEN_TOOL = `
  exists (select 1 from task as c where c.parent_task_id = s.id and c.parent_step is not null
    and c.status in ('queued', 'running', 'waiting', 'waiting_approval'))`;

/** An owner's sessions, oldest first. */
export async function listSessions(db: Db, ownerId: string, limit: number): Promise<PrunableRecord[]> {
  const rows = await db.query(
    `select s.id, s.last_seq from team as t join session as s on s.team_id = t.id
     where t.owner_id = $ownerId order by s.id limit $limit`,
    { ownerId, limit },
  );
  return rows.map((row) => ({ id: row["id"] as string, rows: Number(row["last_seq"]) }));
}

/** Ended sessions, with their messages and tasks. */
export function createPrunableSessions(db: Db): PrunableTable {
  return {
    async findPrunable(afterId, cutoff, limit, pruned) {
      const { read, prune, owners } = ownerConditions(pruned);
      const rows = await db.query(
        `select s.id, s.created_at, s.last_seq,
           case when s.status in ${ENDED} and s.completed_at < $cutoff and not ${HAS_OPEN_TOOL} and s.${prune} then 1 else 0 end as prunable
         from (select * from session where id > $afterId and ${read} order by id limit $limit) as s order by s.id`,
        { afterId, cutoff, limit, owners },
      );
      const last = rows.at(-1);
      return {
        prunable: rows
          .filter((row) => Number(row["prunable"]) === 1)
          .map((row) => ({ id: row["id"] as string, rows: Number(row["last_seq"]) })),
        lastId: last === undefined || Number(last["created_at"]) >= cutoff ? null : (last["id"] as string),
      };
    },

    async hide(id) {
      const [hidden = []] = await db.batch([
        {
          sql: `update session set owner_id = '', status = 'cancelled' where id = $id and status in ${ENDED} returning id`,
          params: { id },
        },
      ]);
      return hidden.length === 1;
    },

    trim: (id, limit) =>
      deleteFirst(db, { table: "session_message", group: "session_id", key: "seq", value: id }, limit),

    async remove(ids) {
      const params = { ids: JSON.stringify(ids) };
      const chosen = "(select value from json_each(cast($ids as text)))";
      // The task first, and only one that is not due: a session that receives a message at this moment keeps all rows.
      const [removed = []] = await db.batch([
        {
          sql: `delete from task where id in ${chosen} and lane = '${SESSION_LANE}' and status in ('waiting', 'failed', 'cancelled') and run_at is null
                  and exists (select 1 from session as s where s.id = task.id and s.status in ${ENDED}) returning id`,
          params,
        },
        {
          sql: `delete from session where id in ${chosen} and not exists (select 1 from task where id = session.id)`,
          params,
        },
        ...["a2a_task", "a2a_push_config"].map((table) => ({
          sql: `delete from ${table} where context_id in ${chosen} and not exists (select 1 from session where id = ${table}.context_id)`,
          params,
        })),
        {
          sql: `delete from journal where task_id in ${chosen} and not exists (select 1 from task where id = journal.task_id)`,
          params,
        },
      ]);
      return removed.map((row) => row["id"] as string);
    },
  };
}
