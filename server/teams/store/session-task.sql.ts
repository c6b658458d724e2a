import type { Usage } from "../../../contract/agents.ts";
import type { SessionOutcome, SessionState, SessionTask } from "../session/session-task.ts";
import type { Appended, MessageHead, MessageRecord, NewMessage } from "../session-record.ts";
import type { Db, Statement } from "../../storage/db.ts";
import { append } from "./session-append.sql.ts";
import { readHeads, readLog, readRecent } from "./session-log.sql.ts";
import { toState } from "./session-rows.sql.ts";

export type SessionTaskStore = ReturnType<typeof createSessionTaskStore>;

/** Progress resets the crash count. It also locks the task's row, so that no other process claims it meanwhile. */
function resetCrashCount({ id, epoch }: SessionTask): Statement {
  return {
    sql: "update task set lives = 0 where id = $id and epoch = $epoch",
    params: { id, epoch },
  };
}

/** Holds while this process has the claim on the session's task. */
const HAS_CLAIM = "exists (select 1 from task as t where t.id = $sessionId and t.epoch = $epoch)";
/** As above, and nothing was posted since `seenWake` was read. */
const HAS_CLAIM_AND_SEEN_ALL =
  "exists (select 1 from task as t where t.id = $sessionId and t.epoch = $epoch and t.wake = $seenWake)";

/**
 * The reads and writes of the step that runs a session, fenced by the epoch of the session's task: once another claim
 * has raised it, a write changes nothing and returns undefined or false.
 */
export function createSessionTaskStore(db: Db) {
  return {
    async state({ id, epoch }: SessionTask): Promise<SessionState | undefined> {
      const [row] = await db.query(
        `select s.team_id, s.status, s.input_tokens, s.output_tokens, s.turns, s.created_at, t.wake
         from session as s join task as t on t.id = s.id where s.id = $id and t.epoch = $epoch`,
        { id, epoch },
      );
      return row === undefined ? undefined : toState(row);
    },

    heads: (sessionId: string, after: number): Promise<MessageHead[]> => readHeads(db, sessionId, after),
    recent: (sessionId: string, after: number): Promise<MessageRecord[]> => readRecent(db, sessionId, after),
    log: (sessionId: string, after: number, limit: number): Promise<MessageRecord[]> =>
      readLog(db, sessionId, after, limit),

    /** Activates a session whose wait for a client is over; false if a client has joined meanwhile. */
    async activate(session: SessionTask, now: number): Promise<boolean> {
      const [, updated] = await db.batch([
        resetCrashCount(session),
        {
          sql: `update session set status = 'active', started_at = $now
                where id = $sessionId and status = 'waiting' and ${HAS_CLAIM} returning id`,
          params: { sessionId: session.id, epoch: session.epoch, now },
        },
      ]);
      return updated?.length === 1;
    },

    /** Appends all messages of one turn or none. Repeating the call with the same messages succeeds without a write. */
    record: (
      session: SessionTask,
      messages: readonly NewMessage[],
      usage: Usage,
      now: number,
    ): Promise<Appended | undefined> =>
      append(db, {
        sessionId: session.id,
        messages,
        now,
        task: resetCrashCount(session),
        change:
          "input_tokens = input_tokens + $inputTokens, output_tokens = output_tokens + $outputTokens, turns = turns + 1",
        condition: HAS_CLAIM,
        params: {
          epoch: session.epoch,
          inputTokens: usage.inputTokens,
          outputTokens: usage.outputTokens,
        },
      }),

    /** Also undefined if a message was posted since `seenWake`: then the session continues. */
    finish: (
      session: SessionTask,
      seenWake: number,
      { status, result, error }: SessionOutcome,
      messages: readonly NewMessage[],
      now: number,
    ): Promise<Appended | undefined> =>
      append(db, {
        sessionId: session.id,
        messages,
        now,
        task: resetCrashCount(session),
        change: "status = $status, result = $result, error = $error, completed_at = $now",
        condition: HAS_CLAIM_AND_SEEN_ALL,
        params: {
          epoch: session.epoch,
          seenWake,
          status,
          result: result === null ? null : JSON.stringify(result),
          error: error === null ? null : JSON.stringify(error),
          now,
        },
      }),

    /** Fails the session for a reason that is not in its log; undefined if it has already ended. */
    async fail(
      { id, epoch }: SessionTask,
      error: { code: string; message: string },
      now: number,
    ): Promise<{ teamId: string } | undefined> {
      const [failed] = await db.batch([
        {
          sql: `update session set status = 'failed', error = $error, completed_at = $now
                where id = $sessionId and status in ('waiting', 'active') and ${HAS_CLAIM} returning team_id`,
          params: { sessionId: id, epoch, error: JSON.stringify(error), now },
        },
      ]);
      const row = failed?.[0];
      return row === undefined ? undefined : { teamId: row["team_id"] as string };
    },
  };
}
