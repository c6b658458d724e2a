import type { SessionTask, SessionTaskStore } from "../session/session-task.ts";
import type { Db, Statement } from "../../storage/db.ts";
import { append } from "./session-append.sql.ts";
import { readHeads, readLog } from "./session-log.sql.ts";
import { toState } from "./session-rows.sql.ts";

/** It got further: a crash after this is not one more without progress. The row is ours until the write is done. */
function gotFurther({ id, epoch }: SessionTask): Statement {
  return { sql: "update task set lives = 0 where id = $1 and epoch = $2", params: [id, epoch] };
}

/** The task is still whose it was when the session was read. */
const isOurs = (epoch: string, more = ""): string =>
  `exists (select 1 from task as t where t.id = $1 and t.epoch = ${epoch} ${more})`;

/** What the step that drives a session reads and writes, fenced by the epoch of the session's task. */
export function createSessionTaskStore(db: Db): SessionTaskStore {
  return {
    async state({ id, epoch }) {
      const [row] = await db.query(
        `select s.team_id, s.status, s.input_tokens, s.output_tokens, s.turns, s.created_at, t.wake
         from session as s join task as t on t.id = s.id where s.id = $1 and t.epoch = $2`,
        [id, epoch],
      );
      return row === undefined ? undefined : toState(row);
    },

    heads: (sessionId, after) => readHeads(db, sessionId, after),
    log: (sessionId, after, limit) => readLog(db, sessionId, after, limit),

    async begin(session, now) {
      const [, begun] = await db.batch([
        gotFurther(session),
        {
          sql: `update session set status = 'active', started_at = $2 where id = $1 and status = 'waiting' and ${isOurs("$3")} returning id`,
          params: [session.id, now, session.epoch],
        },
      ]);
      return begun?.length === 1;
    },

    record: (session, messages, usage, now) =>
      append(db, {
        sessionId: session.id,
        messages,
        now,
        task: gotFurther(session),
        change: "input_tokens = input_tokens + $5, output_tokens = output_tokens + $6, turns = turns + 1",
        condition: isOurs("$4"),
        params: [session.epoch, usage.inputTokens, usage.outputTokens],
      }),

    finish: (session, seenWake, { status, result, error }, messages, now) =>
      append(db, {
        sessionId: session.id,
        messages,
        now,
        task: gotFurther(session),
        change: "status = $6, result = $7, error = $8, completed_at = $9",
        condition: isOurs("$4", "and t.wake = $5"),
        params: [
          session.epoch,
          seenWake,
          status,
          result === null ? null : JSON.stringify(result),
          error === null ? null : JSON.stringify(error),
          now,
        ],
      }),

    async fail({ id, epoch }, error, now) {
      const [failed] = await db.batch([
        {
          sql: `update session set status = 'failed', error = $3, completed_at = $4
                where id = $1 and status in ('waiting', 'active') and ${isOurs("$2")} returning team_id`,
          params: [id, epoch, JSON.stringify(error), now],
        },
      ]);
      const row = failed?.[0];
      return row === undefined ? undefined : { teamId: row["team_id"] as string };
    },
  };
}
