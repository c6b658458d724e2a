import type { PageQuery } from "../../../contract/api.ts";
import type { Trigger } from "../../../contract/tasks.ts";
import type { Party, SessionStatus } from "../../../contract/teams.ts";
import type { CancelledTask } from "../../engine/store.ts";
import { type ResultPage, toResultPage } from "../../lib/result-page.ts";
import { cancelMessage } from "../posted-message.ts";
import { SESSION_LANE, sessionWorkflow } from "../session/session-task.ts";
import type { Appended, MessageRecord, NewMessage, SessionRecord } from "../session-record.ts";
import type { Db, Statement } from "../../storage/db.ts";
import { announceEnded, cancelTree } from "../../storage/engine/end-tree.ts";
import { throwNotFoundOrForbidden } from "../../storage/ownership.ts";
import { AFTER_EVERY_ID } from "../../storage/paging.ts";
import { append, insertMessages } from "./session-append.sql.ts";
import { readExchange, readLog } from "./session-log.sql.ts";
import { SESSION_COLUMNS, toSession } from "./session-rows.sql.ts";

export type SessionStore = ReturnType<typeof createSessionStore>;

/**
 * Wakes the session's task as the engine wakes any task: a parked task becomes due, a running one checks again before
 * it parks. A failed task is queued again with its crash count reset.
 */
function wakeTask(sessionId: string, now: number): Statement {
  const isParked = "status in ('waiting', 'failed')";
  return {
    sql: `update task set wake = wake + 1, run_at = case when ${isParked} then $now else run_at end,
            lives = case when status = 'failed' then 0 else lives end,
            status = case when ${isParked} then 'queued' else status end, error = null, completed_at = null
          where id = $sessionId and status <> 'cancelled'`,
    params: { sessionId, now },
  };
}

/** The sessions that users and clients start, read and post to. Every write is durable when it resolves. */
export function createSessionStore(db: Db) {
  return {
    /**
     * Stores the session with its first message and its task, which is due at `runAt`. If a session with the same key
     * was created after `keptSince`, stores nothing and returns that one.
     */
    async insert(
      session: SessionRecord,
      first: NewMessage,
      runAt: number,
      keptSince: number,
      trigger: Trigger = "team",
    ): Promise<SessionRecord | undefined> {
      const { id, teamId, ownerId, objective, status, createdAt, startedAt } = session;
      const key = first.dedupeKey;
      const [, inserted] = await db.batch([
        {
          // An expired key can be used again.
          sql: `update session set begin_key = null
                where team_id = $teamId and begin_key = $key and created_at <= $keptSince`,
          params: { teamId, key, keptSince },
        },
        {
          sql: `insert into session (id, team_id, owner_id, objective, status, input_tokens, output_tokens, turns, last_seq, last_write,
                  begin_key, created_at, started_at)
                values ($id, $teamId, $ownerId, $objective, $status, 0, 0, 0, 1, $id, $key, $createdAt, $startedAt)
                on conflict do nothing returning id`,
          params: { id, teamId, ownerId, objective, status, key, createdAt, startedAt },
        },
        {
          sql: `insert into task (id, owner_id, lane, workflow_id, workflow_version, status, trigger, input, depth, epoch, wake, run_at, lives,
                  lives_seq, created_at)
                select id, owner_id, '${SESSION_LANE}', '${sessionWorkflow.id}', ${sessionWorkflow.version}, 'waiting', cast($trigger as text), '{}', 0, 0, 0,
                  cast($runAt as bigint), 0, 0, created_at
                from session where id = $id on conflict do nothing`,
          params: { id, runAt, trigger },
        },
        insertMessages(id, id, [first], createdAt),
      ]);
      if (inserted?.length === 1) return undefined;
      const [row] = await db.query(
        `select ${SESSION_COLUMNS} from session where team_id = $teamId and begin_key = $key`,
        { teamId, key },
      );
      // The same id: the insert is a repetition, since the reply to the first one was lost.
      return row === undefined || row["id"] === id ? undefined : toSession(row);
    },

    /** Throws `session_not_found` or `forbidden`. */
    async get(id: string, ownerId: string): Promise<SessionRecord> {
      const [row] = await db.query(
        `select ${SESSION_COLUMNS} from session where id = $id and owner_id = $ownerId`,
        { id, ownerId },
      );
      return row === undefined ? throwNotFoundOrForbidden(db, "session", "session", id) : toSession(row);
    },

    /** How the session was started. */
    async trigger(id: string): Promise<Trigger | undefined> {
      const [row] = await db.query("select trigger from task where id = $id", { id });
      return row?.["trigger"] as Trigger | undefined;
    },

    async findInTeam(id: string, teamId: string): Promise<SessionRecord | undefined> {
      const [row] = await db.query(
        `select ${SESSION_COLUMNS} from session where id = $id and team_id = $teamId and owner_id <> ''`,
        { id, teamId },
      );
      return row === undefined ? undefined : toSession(row);
    },

    /** Those of `ids` that belong to the team, in no order. */
    async findAllInTeam(ids: readonly string[], teamId: string): Promise<SessionRecord[]> {
      if (ids.length === 0) return [];
      const rows = await db.query(
        `select ${SESSION_COLUMNS} from session where team_id = $teamId and owner_id <> ''
           and id in (select value from json_each(cast($ids as text)))`,
        { teamId, ids: JSON.stringify(ids) },
      );
      return rows.map(toSession);
    },

    async list(teamId: string, { limit, cursor }: PageQuery): Promise<ResultPage<SessionRecord>> {
      const rows = await db.query(
        `select ${SESSION_COLUMNS} from session where team_id = $teamId and id < $before and owner_id <> ''
         order by id desc limit $limit`,
        { teamId, before: cursor ?? AFTER_EVERY_ID, limit: limit + 1 },
      );
      return toResultPage(rows.map(toSession), limit, ({ id }) => id);
    },

    log: (sessionId: string, after: number, limit: number): Promise<MessageRecord[]> =>
      readLog(db, sessionId, after, limit),

    exchange: (sessionId: string, seq: number) => readExchange(db, sessionId, seq),

    async findByDedupeKey(
      sessionId: string,
      dedupeKey: string,
    ): Promise<{ id: string; seq: number } | undefined> {
      const [row] = await db.query(
        "select id, seq from session_message where session_id = $sessionId and dedupe_key = $dedupeKey",
        { sessionId, dedupeKey },
      );
      return row === undefined ? undefined : { id: row["id"] as string, seq: Number(row["seq"]) };
    },

    /** The first entry of the newest exchange; undefined when that has ended: nothing runs, and no workflow of it waits for an approval. */
    async openExchange(sessionId: string): Promise<number | undefined> {
      const [row] = await db.query(
        `select max(m.seq) as seq from session as s join session_message as m on m.session_id = s.id
         where s.id = $sessionId and m.outside = 1 and m.continues is null and (s.status in ('waiting', 'active')
           or exists (select 1 from task as c join approval as p on p.task_id = c.id
             where c.parent_task_id = s.id and c.parent_step is not null and c.status = 'waiting_approval'
               and p.decided_at is null))`,
        { sessionId },
      );
      return row?.["seq"] == null ? undefined : Number(row["seq"]);
    },

    /**
     * Appends one message from outside and wakes the session; one that has ended becomes active again. Undefined if the
     * session is cancelled or the message's key is known.
     */
    async post(
      sessionId: string,
      message: NewMessage,
      now: number,
    ): Promise<{ seq: number; status: SessionStatus } | undefined> {
      const appended = await append(db, {
        sessionId,
        messages: [message],
        now,
        // A session that waits for a client to join is woken as well, and keeps waiting.
        task: wakeTask(sessionId, now),
        change: `turns = 0, status = case when status in ('completed', 'failed') then 'active' else status end,
          result = null, error = null, completed_at = null`,
        condition: `status <> 'cancelled' and not exists
          (select 1 from session_message where session_id = $sessionId and dedupe_key = $dedupeKey)`,
        params: { dedupeKey: message.dedupeKey },
      });
      return appended === undefined ? undefined : { seq: appended.lastSeq, status: appended.status };
    },

    /** Cancels the session and the tasks that its agents' tools have started. Undefined if it has already ended. */
    async cancel(
      sessionId: string,
      by: Party,
      now: number,
    ): Promise<(Appended & { tasks: CancelledTask[] }) | undefined> {
      const cancelled = await append(db, {
        sessionId,
        messages: [cancelMessage(by, now)],
        now,
        task: { sql: "update task set wake = wake + 1 where id = $sessionId", params: { sessionId } },
        change: "status = 'cancelled', completed_at = $now",
        condition: "status in ('waiting', 'active')",
        params: { now },
        after: (write) =>
          cancelTree(sessionId, now, {
            sql: "exists (select 1 from session where id = $taskId and last_write = $write)",
            params: { write },
          }),
      });
      return cancelled === undefined ? undefined : { ...cancelled, tasks: announceEnded(db, cancelled.rest) };
    },

    /** Sessions of a team that have not ended. */
    async openIds(teamId: string): Promise<string[]> {
      const rows = await db.query(
        "select id from session where team_id = $teamId and status in ('waiting', 'active')",
        { teamId },
      );
      return rows.map((row) => row["id"] as string);
    },

    /** For every client that joins: an index has the unfinished sessions of an owner, and these are few. */
    async unfinishedIds(teamId: string): Promise<string[]> {
      const rows = await db.query(
        `select id from session where owner_id = (select owner_id from team where id = $teamId)
           and status in ('waiting', 'active') and team_id = $teamId`,
        { teamId },
      );
      return rows.map((row) => row["id"] as string);
    },

    /** Activates the team's sessions that wait for a client to join; returns their ids. */
    async startWaiting(teamId: string, now: number): Promise<string[]> {
      const waiting = await db.query(
        "select id from session where team_id = $teamId and status = 'waiting'",
        { teamId },
      );
      const started: string[] = [];
      for (const row of waiting) {
        const id = row["id"] as string;
        const [, updated] = await db.batch([
          wakeTask(id, now),
          {
            sql: `update session set status = 'active', started_at = $now
                  where id = $id and status = 'waiting' returning id`,
            params: { id, now },
          },
        ]);
        if (updated?.length === 1) started.push(id);
      }
      return started;
    },
  };
}
