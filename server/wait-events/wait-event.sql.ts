import type { Db, Statement } from "../storage/db.ts";
import { deliverEvent, lockEvents, RESUME_NAME, resumeKey } from "../storage/engine/event-waits.ts";
import { FINAL } from "../storage/engine/task-sql.ts";

export interface NewEvent {
  id: string;
  ownerId: string;
  name: string;
  key: string;
  /** JSON. */
  data: string;
  /** The sender's own id of the event. */
  sentId: string | null;
  createdAt: number;
  expiresAt: number;
}

/** How many events of one owner, and how many bytes of them, are kept. */
export interface KeptLimits {
  events: number;
  bytes: number;
}

export interface Sent {
  /** False when nothing was stored: the event was sent before, or there is no room for it. */
  stored: boolean;
  /** The task whose step has taken it. */
  taskId: string | undefined;
}

/** A step that waits, with the fields of the step as the run shows them: without secrets. */
export interface OpenWait {
  path: string;
  dueAt: number | null;
  fields: Readonly<Record<string, unknown>>;
}

export interface ResumeTarget {
  taskId: string;
  path: string;
}

const OPEN = `select w.task_id, w.path from event_wait as w join task as t on t.id = w.task_id
  where w.received_at is null and t.status not in ${FINAL}`;
const OPEN_BY_NAME = `${OPEN} and w.owner_id = $ownerId and w.name = $name and w.key = $key`;
const OPEN_BY_PATH = `${OPEN} and w.task_id = $taskId and w.path = $path`;

const KEPT = "from event where owner_id = $ownerId and taken_at is null";

function insertEvent(event: NewEvent, condition: string, params: Statement["params"] & object): Statement {
  return {
    sql: `insert into event (id, owner_id, name, key, data, bytes, sent_id, created_at, expires_at)
          select $id, $ownerId, $name, $key, $data, cast($bytes as bigint), cast($sentId as text),
            cast($createdAt as bigint), cast($expiresAt as bigint)
          where ${condition} on conflict do nothing returning id`,
    params: { ...event, bytes: event.data.length, ...params },
  };
}

export type WaitEventStore = ReturnType<typeof createWaitEventStore>;

/** Events of users, and the steps that wait for them. */
export function createWaitEventStore(db: Db) {
  const hasRoom = `(select count(*) ${KEPT}) < $maxEvents
    and (select coalesce(sum(bytes), 0) ${KEPT}) + cast($bytes as bigint) <= $maxBytes`;
  const room = ({ events, bytes }: KeptLimits) => ({ maxEvents: events, maxBytes: bytes });

  async function send(
    event: NewEvent,
    insert: Statement,
    open: Parameters<typeof deliverEvent>[1],
  ): Promise<Sent> {
    const { ownerId, createdAt: now } = event;
    const [, , stored = [], delivered = []] = await db.batch(
      [
        lockEvents(ownerId, now),
        {
          sql: "delete from event where owner_id = $ownerId and expires_at <= $now",
          params: { ownerId, now },
        },
        insert,
        ...deliverEvent(event, open, now),
      ],
      { alone: true },
    );
    return { stored: stored.length === 1, taskId: delivered[0]?.["task_id"] as string | undefined };
  }

  return {
    /** Gives the event to a waiting step, or keeps it. It is refused only when it would have to be kept. */
    send(event: NewEvent, limits: KeptLimits): Promise<Sent> {
      const insert = insertEvent(event, `(exists (${OPEN_BY_NAME}) or ${hasRoom})`, room(limits));
      return send(event, insert, { sql: OPEN_BY_NAME, params: {} });
    },

    /** As `send`, for one step of one task. A second call before the step waits is not stored. */
    resume(event: Omit<NewEvent, "name" | "key">, { taskId, path }: ResumeTarget, limits: KeptLimits) {
      const addressed = { ...event, name: RESUME_NAME, key: resumeKey(taskId, path) };
      const isFirst = `not exists (select 1 ${KEPT} and name = $name and key = $key)`;
      const insert = insertEvent(addressed, `(exists (${OPEN_BY_PATH}) or ${isFirst} and ${hasRoom})`, {
        taskId,
        path,
        ...room(limits),
      });
      return send(addressed, insert, { sql: OPEN_BY_PATH, params: { taskId, path } });
    },

    /** Whether a waiting step has taken the event with this id; undefined when none was sent. */
    async findSent(ownerId: string, sentId: string): Promise<{ taken: boolean } | undefined> {
      const [row] = await db.query(
        "select taken_at from event where owner_id = $ownerId and sent_id = $sentId",
        {
          ownerId,
          sentId,
        },
      );
      return row === undefined ? undefined : { taken: row["taken_at"] !== null };
    },

    /** The owner of an unfinished task whose step has not ended, and whose wait has no event yet. */
    async findWaiting({ taskId, path }: ResumeTarget): Promise<{ ownerId: string } | undefined> {
      const [row] = await db.query(
        `select t.owner_id from task as t where t.id = $taskId and t.status not in ${FINAL}
           and not exists (select 1 from event_wait where task_id = $taskId and path = $path and received_at is not null)
           and coalesce((select kind from journal where task_id = $taskId and path = $path order by seq desc limit 1), '') <> 'step'`,
        { taskId, path },
      );
      return row === undefined ? undefined : { ownerId: row["owner_id"] as string };
    },

    /** The waiting steps of a task after this path, in the order of their paths. */
    async listOpen(
      taskId: string,
      { path = null, afterPath, limit }: { path?: string | null; afterPath: string; limit: number },
    ): Promise<OpenWait[]> {
      const rows = await db.query(
        `select w.path, w.due_at,
           (select j.input from journal as j where j.task_id = w.task_id and j.path = w.path and j.kind = 'wait'
            order by j.seq desc limit 1) as input
         from event_wait as w join task as t on t.id = w.task_id
         where w.task_id = $taskId and (cast($path as text) is null or w.path = $path) and w.path > $afterPath
           and w.received_at is null and t.status not in ${FINAL}
         order by w.path limit $limit`,
        { taskId, path, afterPath, limit },
      );
      return rows.map((row) => ({
        path: row["path"] as string,
        dueAt: row["due_at"] === null ? null : Number(row["due_at"]),
        fields: JSON.parse((row["input"] as string | null) ?? "{}") as OpenWait["fields"],
      }));
    },

    /** For the deletion of an account, whose tasks and events are gone. */
    async dropLock(ownerId: string): Promise<void> {
      await db.batch([{ sql: "delete from event_lock where owner_id = $ownerId", params: { ownerId } }]);
    },

    async countKept(ownerId: string): Promise<KeptLimits> {
      const [row] = await db.query(`select count(*) as events, coalesce(sum(bytes), 0) as bytes ${KEPT}`, {
        ownerId,
      });
      return { events: Number(row?.["events"]), bytes: Number(row?.["bytes"]) };
    },
  };
}

export async function dropExpiredEvents(db: Db, before: number, limit: number): Promise<number> {
  const [deleted = []] = await db.batch([
    {
      sql: `delete from event where id in (select id from event where expires_at <= $before order by expires_at limit $limit)
            returning id`,
      params: { before, limit },
    },
  ]);
  return deleted.length;
}
