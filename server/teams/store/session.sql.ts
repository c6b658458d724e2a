import { toPage } from "../../lib/page.ts";
import { SESSION_LANE, sessionWorkflow } from "../session/session-task.ts";
import type { SessionStore } from "../session-record.ts";
import type { Db, Statement } from "../../storage/db.ts";
import { cancelFamily, toCancelled } from "../../storage/engine/task-family.ts";
import { throwNotFoundOrForbidden } from "../../storage/ownership.ts";
import { AFTER_EVERY_ID } from "../../storage/paging.ts";
import { append, insertMessages } from "./session-append.sql.ts";
import { readLog } from "./session-log.sql.ts";
import { SESSION_COLUMNS, toSession } from "./session-rows.sql.ts";

/**
 * The same as every wake of a task: whoever is parked becomes due, whoever runs looks again before parking. A task
 * that was given up gets three new lives.
 */
function wakeTask(sessionId: string, now: number): Statement {
  const asleep = "status in ('waiting', 'failed')";
  return {
    sql: `update task set wake = wake + 1, run_at = case when ${asleep} then $2 else run_at end,
            lives = case when status = 'failed' then 0 else lives end, status = case when ${asleep} then 'queued' else status end,
            error = null, completed_at = null
          where id = $1 and status <> 'cancelled'`,
    params: [sessionId, now],
  };
}

export function createSessionStore(db: Db): SessionStore {
  return {
    async insert(session, first, runAt, keptSince) {
      const { id, teamId, ownerId, objective, status, createdAt, startedAt } = session;
      const key = first.dedupeKey;
      const [, inserted] = await db.batch([
        {
          // A key that is old enough begins a new session again.
          sql: "update session set begin_key = null where team_id = $1 and begin_key = $2 and created_at <= $3",
          params: [teamId, key, keptSince],
        },
        {
          sql: `insert into session (id, team_id, owner_id, objective, status, input_tokens, output_tokens, turns, last_seq, last_write, begin_key,
                  created_at, started_at)
                values ($1, $2, $3, $4, $5, 0, 0, 0, 1, $1, $6, $7, $8) on conflict do nothing returning id`,
          params: [id, teamId, ownerId, objective, status, key, createdAt, startedAt],
        },
        {
          sql: `insert into task (id, owner_id, lane, workflow_id, workflow_version, status, trigger, input, depth, epoch, wake, run_at, lives, lives_seq,
                  created_at)
                select id, owner_id, '${SESSION_LANE}', '${sessionWorkflow.id}', ${sessionWorkflow.version}, 'waiting', 'team', '{}', 0, 0, 0, cast($2 as bigint), 0, 0, created_at
                from session where id = $1 on conflict do nothing`,
          params: [id, runAt],
        },
        insertMessages(id, id, [first], createdAt),
      ]);
      if (inserted?.length === 1) return undefined;
      const [row] = await db.query(
        `select ${SESSION_COLUMNS} from session where team_id = $1 and begin_key = $2`,
        [teamId, key],
      );
      // Its own, when the answer to the first try was lost.
      return row === undefined || row["id"] === id ? undefined : toSession(row);
    },

    async owned(id, ownerId) {
      const [row] = await db.query(`select ${SESSION_COLUMNS} from session where id = $1 and owner_id = $2`, [
        id,
        ownerId,
      ]);
      return row === undefined ? throwNotFoundOrForbidden(db, "session", "session", id) : toSession(row);
    },

    async ofTeam(id, teamId) {
      const [row] = await db.query(
        `select ${SESSION_COLUMNS} from session where id = $1 and team_id = $2 and owner_id <> ''`,
        [id, teamId],
      );
      return row === undefined ? undefined : toSession(row);
    },

    async list(teamId, { limit, cursor }) {
      const rows = await db.query(
        `select ${SESSION_COLUMNS} from session where team_id = $1 and id < $2 and owner_id <> '' order by id desc limit $3`,
        [teamId, cursor ?? AFTER_EVERY_ID, limit + 1],
      );
      return toPage(rows.map(toSession), limit, ({ id }) => id);
    },

    log: (sessionId, after, limit) => readLog(db, sessionId, after, limit),

    async entryByKey(sessionId, dedupeKey) {
      const [row] = await db.query(
        "select id, seq from session_message where session_id = $1 and dedupe_key = $2",
        [sessionId, dedupeKey],
      );
      return row === undefined ? undefined : { id: row["id"] as string, seq: Number(row["seq"]) };
    },

    async post(sessionId, message, now) {
      const appended = await append(db, {
        sessionId,
        messages: [message],
        now,
        // One that waits for somebody to join looks, too, and goes on waiting.
        task: wakeTask(sessionId, now),
        change: `turns = 0, status = case when status in ('completed', 'failed') then 'active' else status end,
          result = null, error = null, completed_at = null`,
        condition: `status <> 'cancelled' and not exists (select 1 from session_message where session_id = $1 and dedupe_key = $4)`,
        params: [message.dedupeKey],
      });
      return appended === undefined ? undefined : { seq: appended.lastSeq, status: appended.status };
    },

    async cancel(sessionId, message, now) {
      const cancelled = await append(db, {
        sessionId,
        messages: [message],
        now,
        task: { sql: "update task set wake = wake + 1 where id = $1", params: [sessionId] },
        change: "status = 'cancelled', completed_at = $4",
        condition: "status in ('waiting', 'active')",
        params: [now],
        after: (write) =>
          cancelFamily(sessionId, now, {
            sql: "exists (select 1 from session where id = $taskId and last_write = $write)",
            params: { write },
          }),
      });
      return cancelled === undefined ? undefined : { ...cancelled, tasks: toCancelled(cancelled.rest) };
    },

    async openIds(teamId) {
      const rows = await db.query(
        "select id from session where team_id = $1 and status in ('waiting', 'active')",
        [teamId],
      );
      return rows.map((row) => row["id"] as string);
    },

    async startWaiting(teamId, now) {
      const waiting = await db.query("select id from session where team_id = $1 and status = 'waiting'", [
        teamId,
      ]);
      const started: string[] = [];
      for (const row of waiting) {
        const id = row["id"] as string;
        const [, begun] = await db.batch([
          wakeTask(id, now),
          {
            sql: "update session set status = 'active', started_at = $2 where id = $1 and status = 'waiting' returning id",
            params: [id, now],
          },
        ]);
        if (begun?.length === 1) started.push(id);
      }
      return started;
    },
  };
}
