import type { EngineStore } from "../../engine/store.ts";
import type { Db, Statement } from "../db.ts";
import { wakeTasks } from "./task-sql.ts";

/** Names of users' events are never empty: this one is that of calls of resume URLs. */
export const RESUME_NAME = "";

export function resumeKey(taskId: string, path: string): string {
  return `${taskId} ${path}`;
}

/**
 * Comes first in every batch that matches events with waits of one owner. A batch that waits here sees afterwards what
 * the other has stored: no event and no wait miss each other, and none is matched twice.
 */
export function lockEvents(ownerId: string, now: number): Statement {
  return {
    sql: `insert into event_lock (owner_id, locked_at) values ($ownerId, $now)
          on conflict (owner_id) do update set locked_at = excluded.locked_at`,
    params: { ownerId, now },
  };
}

/** An event that a wait has taken keeps its row only when its id must be recognised again. */
export function removeTaken(wait: string, params: Statement["params"] & object): Statement[] {
  const taken = `id = (select event_id from event_wait where ${wait})`;
  return [
    { sql: `delete from event where sent_id is null and ${taken}`, params },
    {
      sql: `update event set taken_at = $now, data = null, bytes = 0 where taken_at is null and ${taken}`,
      params,
    },
  ];
}

export function createEventWaitStore(db: Db): Pick<EngineStore, "receiveEvent" | "expireEventWait"> {
  const WAIT = "task_id = $taskId and path = $path";

  async function read(taskId: string, path: string) {
    const [row] = await db.query(
      `select owner_id, name, key, data, received_at, timed_out from event_wait where ${WAIT}`,
      { taskId, path },
    );
    return row;
  }

  return {
    async receiveEvent(taskId, path, now) {
      const open = await read(taskId, path);
      if (open === undefined) return undefined;
      if (open["received_at"] === null) {
        const ownerId = open["owner_id"] as string;
        const params = { taskId, path, now };
        await db.batch(
          [
            lockEvents(ownerId, now),
            {
              sql: `update event_wait set event_id = kept.id, data = kept.data, received_at = $now
                    from (select id, data from event
                          where owner_id = $ownerId and taken_at is null and expires_at > $now
                            and (name = $name and key = $key or name = '${RESUME_NAME}' and key = $resumeKey)
                          order by created_at, id limit 1) as kept
                    where ${WAIT} and received_at is null`,
              params: {
                ...params,
                ownerId,
                name: open["name"] as string,
                key: open["key"] as string,
                resumeKey: resumeKey(taskId, path),
              },
            },
            ...removeTaken(WAIT, params),
          ],
          { alone: true },
        );
      }
      const row = open["received_at"] === null ? await read(taskId, path) : open;
      if (row === undefined || row["received_at"] === null) return undefined;
      return {
        data: row["data"] as string | null,
        receivedAt: Number(row["received_at"]),
        timedOut: Number(row["timed_out"]) === 1,
      };
    },

    async expireEventWait(taskId, path, now) {
      await db.batch([
        {
          sql: `update event_wait set received_at = $now, timed_out = 1 where ${WAIT} and received_at is null`,
          params: { taskId, path, now },
        },
      ]);
    },
  };
}

/** Gives the event to the step that waits longest for it, and wakes its task. */
export function deliverEvent(
  event: { id: string; ownerId: string; name: string; key: string; data: string },
  open: { sql: string; params: Readonly<Record<string, string>> },
  now: number,
): Statement[] {
  const { id, ownerId, name, key, data } = event;
  const wait = "event_id = $id";
  return [
    {
      sql: `update event_wait set event_id = $id, data = $data, received_at = $now
            where received_at is null and exists (select 1 from event where id = $id)
              and (task_id, path) = (${open.sql} order by w.opened_at, w.task_id, w.path limit 1)
            returning task_id, path`,
      params: { id, data, now, ownerId, name, key, ...open.params },
    },
    ...removeTaken(wait, { id, now }),
    { sql: wakeTasks(`id = (select task_id from event_wait where ${wait})`), params: { id, now } },
  ];
}
