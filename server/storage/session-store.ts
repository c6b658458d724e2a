import type { SessionStatus } from "../../contract/teams.ts";
import { createId } from "../lib/ids.ts";
import { toPage } from "../lib/page.ts";
import type { Appended, NewMessage, SessionStore } from "../teams/session-store.ts";
import type { Db, SqlValue } from "./db.ts";
import { notYours } from "./ownership.ts";
import { AFTER_EVERY_ID } from "./paging.ts";
import { insertMessages, toDriven, toHead, toMessage, toSession } from "./session-rows.ts";

const COLUMNS = `id, team_id, owner_id, objective, status, result, error, input_tokens, output_tokens, last_seq, created_at, started_at, completed_at`;
const DRIVEN = "id, team_id, owner_id, epoch, last_seq, started_at, lives";
const HEAD = "seq, from_id, from_type, to_id, to_type, type, seen, outside, created_at";

/** The team's session that began with a message of this key, if that is not too long ago. */
const begunWithKey = (teamId: string, key: string, since: string): string =>
  `select s.id from session_message as m join session as s on s.id = m.session_id
   where m.dedupe_key = ${key} and m.seq = 1 and s.team_id = ${teamId} and m.created_at > ${since}`;

export function createSessionStore(db: Db): SessionStore {
  /** Moves the session's row by `change`, and its log with it; nothing at all when `condition` does not hold. */
  async function append(
    sessionId: string,
    messages: readonly NewMessage[],
    now: number,
    { change, condition, params }: { change: string; condition: string; params: SqlValue[] },
  ): Promise<(Appended & { status: SessionStatus }) | undefined> {
    const write = createId("msg", now);
    const [updated] = await db.batch([
      {
        sql: `update session set last_seq = last_seq + $2, last_write = $3${change === "" ? "" : `, ${change}`}
              where id = $1 and ${condition} returning last_seq, status`,
        params: [sessionId, messages.length, write, ...params],
      },
      insertMessages(sessionId, write, messages, now),
    ]);
    const row = updated?.[0];
    if (row === undefined) return undefined;
    const lastSeq = Number(row["last_seq"]);
    return { firstSeq: lastSeq - messages.length + 1, lastSeq, status: row["status"] as SessionStatus };
  }

  return {
    async insert(session, first, runAt, keptSince) {
      const [inserted] = await db.batch([
        {
          sql: `insert into session (id, team_id, owner_id, objective, status, input_tokens, output_tokens, last_seq, last_write, epoch, wake,
                  run_at, lives, lives_seq, created_at, started_at)
                select $1, $2, $3, $4, $5, 0, 0, 1, $1, 0, 0, cast($6 as bigint), 0, 0, cast($7 as bigint), cast($8 as bigint)
                where not exists (${begunWithKey("$2", "$9", "$10")}) returning id`,
          params: [
            session.id,
            session.teamId,
            session.ownerId,
            session.objective,
            session.status,
            runAt,
            session.createdAt,
            session.startedAt,
            first.dedupeKey,
            keptSince,
          ],
        },
        insertMessages(session.id, session.id, [first], session.createdAt),
      ]);
      if (inserted?.length === 1) return undefined;
      const [row] = await db.query(
        `select ${COLUMNS} from session where id in (${begunWithKey("$1", "$2", "$3")})`,
        [session.teamId, first.dedupeKey, keptSince],
      );
      return toSession(row!);
    },

    async owned(id, ownerId) {
      const [row] = await db.query(`select ${COLUMNS} from session where id = $1 and owner_id = $2`, [
        id,
        ownerId,
      ]);
      return row === undefined ? notYours(db, "session", "session", id) : toSession(row);
    },

    async ofTeam(id, teamId) {
      const [row] = await db.query(`select ${COLUMNS} from session where id = $1 and team_id = $2`, [
        id,
        teamId,
      ]);
      return row === undefined ? undefined : toSession(row);
    },

    async list(teamId, { limit, cursor }) {
      const rows = await db.query(
        `select ${COLUMNS} from session where team_id = $1 and id < $2 order by id desc limit $3`,
        [teamId, cursor ?? AFTER_EVERY_ID, limit + 1],
      );
      return toPage(rows.map(toSession), limit, ({ id }) => id);
    },

    async log(sessionId, after, limit) {
      const rows = await db.query(
        `select m.*, s.team_id from session_message as m join session as s on s.id = m.session_id
         where m.session_id = $1 and m.seq > $2 order by m.seq limit $3`,
        [sessionId, after, limit],
      );
      return rows.map(toMessage);
    },

    async heads(sessionId, after) {
      const rows = await db.query(
        `select ${HEAD} from session_message where session_id = $1 and seq > $2 order by seq`,
        [sessionId, after],
      );
      return rows.map(toHead);
    },

    async entryByKey(sessionId, dedupeKey) {
      const [row] = await db.query(
        "select id, seq from session_message where session_id = $1 and dedupe_key = $2",
        [sessionId, dedupeKey],
      );
      return row === undefined ? undefined : { id: row["id"] as string, seq: Number(row["seq"]) };
    },

    async say(sessionId, message, now) {
      const appended = await append(sessionId, [message], now, {
        // A session that waits for somebody to join goes on waiting; one that nobody drives is due at once.
        change: `wake = wake + 1, run_at = case when status = 'waiting' or worker_id is not null then run_at else $4 end,
          status = case when status in ('completed', 'failed') then 'active' else status end, result = null, error = null, completed_at = null`,
        condition: `status <> 'cancelled' and not exists (select 1 from session_message where session_id = $1 and dedupe_key = $5)`,
        params: [now, message.dedupeKey],
      });
      return appended === undefined ? undefined : { seq: appended.lastSeq, status: appended.status };
    },

    cancel: (sessionId, message, now) =>
      append(sessionId, [message], now, {
        // The epoch moves: whoever drives it can record nothing from here on.
        change: "status = 'cancelled', epoch = epoch + 1, worker_id = null, run_at = null, completed_at = $4",
        condition: "status in ('waiting', 'active')",
        params: [now],
      }),

    async openIds(teamId) {
      const rows = await db.query(
        "select id from session where team_id = $1 and status in ('waiting', 'active')",
        [teamId],
      );
      return rows.map((row) => row["id"] as string);
    },

    async startWaiting(teamId, now) {
      const [rows = []] = await db.batch([
        {
          sql: "update session set run_at = $2 where team_id = $1 and status = 'waiting' and run_at > $2 returning id",
          params: [teamId, now],
        },
      ]);
      return rows.length;
    },

    async claimDue(workerId, limit, now) {
      const [rows = []] = await db.batch([
        {
          sql: `update session set status = 'active', epoch = epoch + 1, worker_id = $1, run_at = null, started_at = coalesce(started_at, $3)
                where id in (select id from session where run_at <= $3 order by run_at limit $2 /*skip-locked*/) returning ${DRIVEN}`,
          params: [workerId, limit, now],
        },
      ]);
      return rows.map(toDriven);
    },

    async nextDue() {
      const [row] = await db.query("select min(run_at) as due from session where run_at is not null");
      return row?.["due"] === null || row === undefined ? null : Number(row["due"]);
    },

    async progress({ id, epoch }) {
      const [row] = await db.query(
        "select wake, input_tokens + output_tokens as tokens from session where id = $1 and epoch = $2",
        [id, epoch],
      );
      return row === undefined
        ? undefined
        : { wake: Number(row["wake"]), totalTokens: Number(row["tokens"]) };
    },

    record: ({ id, epoch }, messages, usage, now) =>
      append(id, messages, now, {
        change: "input_tokens = input_tokens + $5, output_tokens = output_tokens + $6",
        condition: "epoch = $4",
        params: [epoch, usage.inputTokens, usage.outputTokens],
      }),

    async park({ id, epoch }, seenWake, runAt) {
      const [parked] = await db.batch([
        {
          sql: "update session set worker_id = null, run_at = $4 where id = $1 and epoch = $2 and wake = $3 returning id",
          params: [id, epoch, seenWake, runAt],
        },
      ]);
      return parked?.length === 1;
    },

    finish: ({ id, epoch }, seenWake, { status, result, error }, messages, now) =>
      append(id, messages, now, {
        change: "status = $6, result = $7, error = $8, completed_at = $9, worker_id = null, run_at = null",
        condition: "epoch = $4 and wake = $5",
        params: [
          epoch,
          seenWake,
          status,
          result === null ? null : JSON.stringify(result),
          error === null ? null : JSON.stringify(error),
          now,
        ],
      }),

    async recover(maxLives, now) {
      const [rows = []] = await db.batch([
        {
          // One that got further since it was last taken down is not the one that takes processes down.
          sql: `update session set epoch = epoch + 1, worker_id = null, run_at = $1,
                  lives = case when last_seq > lives_seq then 1 else lives + 1 end, lives_seq = last_seq
                where worker_id is not null returning ${DRIVEN}`,
          params: [now],
        },
      ]);
      return rows.filter((row) => Number(row["lives"]) >= maxLives).map(toDriven);
    },

    async release(workerId, sessionIds, now) {
      const some = sessionIds === "all" ? "" : "and id in (select value from json_each(cast($3 as text)))";
      await db.batch([
        {
          sql: `update session set epoch = epoch + 1, worker_id = null, run_at = $2 where worker_id = $1 ${some}`,
          params: sessionIds === "all" ? [workerId, now] : [workerId, now, JSON.stringify(sessionIds)],
        },
      ]);
    },
  };
}
