import type { Party } from "../../../contract/teams.ts";
import { createDueRows } from "../../outbox/due-rows.sql.ts";
import type { Share } from "../../outbox/share-slots.ts";
import type { Db, Row } from "../../storage/db.ts";

/** Where an answer that comes after the turn is posted. */
export interface ReplyRoute {
  to: Party;
  type: "agent_message" | "agent_result";
  /** The first entry of the exchange that it belongs to. */
  continues?: number | undefined;
}

/** A message to an external agent, and the task that the agent has made of it. */
export interface RemoteTask {
  sessionId: string;
  agent: string;
  messageId: string;
  ownerId: string;
  teamId: string;
  contextId: string | null;
  taskId: string | null;
  state: "working" | "input_required" | "ended";
  reply: ReplyRoute;
  attempts: number;
  createdAt: number;
}

export type RemoteTaskKey = Pick<RemoteTask, "sessionId" | "agent" | "messageId">;
export type RemoteTaskStore = ReturnType<typeof createRemoteTaskStore>;

/** A process that crashed or hangs keeps what it claimed this long. */
export const CLAIM_MS = 60_000;

const BY_KEY = "session_id = $sessionId and agent = $agent and message_id = $messageId";

export function createRemoteTaskStore(db: Db) {
  return {
    async find({ sessionId, agent, messageId }: RemoteTaskKey): Promise<RemoteTask | undefined> {
      const [row] = await db.query(`select * from remote_task where ${BY_KEY}`, {
        sessionId,
        agent,
        messageId,
      });
      return row === undefined ? undefined : toRemoteTask(row);
    },

    /** The conversation so far: the context of the last message, and the task that asks for input. */
    async conversation(
      sessionId: string,
      agent: string,
    ): Promise<{ contextId: string | null; taskId: string | null }> {
      const [row] = await db.query(
        `select context_id, case when state = 'input_required' then task_id end as task_id from remote_task
         where session_id = $sessionId and agent = $agent and context_id is not null
         order by created_at desc, message_id desc limit 1`,
        { sessionId, agent },
      );
      return {
        contextId: (row?.["context_id"] as string | undefined) ?? null,
        taskId: (row?.["task_id"] as string | null | undefined) ?? null,
      };
    },

    async save(task: RemoteTask, dueAt: number | null): Promise<void> {
      await db.batch([
        {
          sql: `insert into remote_task (session_id, agent, message_id, owner_id, team_id, context_id, task_id, state, reply, attempts, due_at, created_at)
                values ($sessionId, $agent, $messageId, $ownerId, $teamId, $contextId, $taskId, $state, $reply, $attempts, $dueAt, $createdAt)
                on conflict (session_id, agent, message_id) do update
                  set context_id = excluded.context_id, task_id = excluded.task_id, state = excluded.state,
                    attempts = excluded.attempts, due_at = excluded.due_at`,
          params: { ...task, reply: JSON.stringify(task.reply), dueAt },
        },
      ]);
    },

    ...createDueRows(db, "remote_task"),

    async claim(shares: readonly Share[], now: number): Promise<RemoteTask[]> {
      const rows = await db.batch(
        shares.map(({ ownerId, count }) => ({
          sql: `with due as materialized
                  (select session_id, agent, message_id from remote_task where owner_id = $ownerId and due_at <= $now
                   order by due_at limit $count /*skip-locked*/)
                update remote_task set attempts = attempts + 1, due_at = $until
                where (session_id, agent, message_id) in (select session_id, agent, message_id from due) returning *`,
          params: { ownerId, count, now, until: now + CLAIM_MS },
        })),
        { alone: true },
      );
      return rows.flat().map(toRemoteTask);
    },
  };
}

function toRemoteTask(row: Row): RemoteTask {
  return {
    sessionId: row["session_id"] as string,
    agent: row["agent"] as string,
    messageId: row["message_id"] as string,
    ownerId: row["owner_id"] as string,
    teamId: row["team_id"] as string,
    contextId: row["context_id"] as string | null,
    taskId: row["task_id"] as string | null,
    state: row["state"] as RemoteTask["state"],
    reply: JSON.parse(row["reply"] as string) as ReplyRoute,
    attempts: Number(row["attempts"]),
    createdAt: Number(row["created_at"]),
  };
}
