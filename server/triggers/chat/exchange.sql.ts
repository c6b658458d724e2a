import type { TaskStatus } from "../../engine/tasks/task.ts";
import type { Db, Row } from "../../storage/db.ts";
import { deleteOlder } from "../../storage/delete-older.ts";
import { AFTER_EVERY_ID } from "../../storage/paging.ts";

/** A message of a visitor and its answer. */
export interface Exchange {
  id: string;
  ownerId: string;
  triggerId: string;
  conversation: string;
  messageId: string;
  message: string;
  /** Null until the run has started. */
  taskId: string | null;
  status: "running" | "answered" | "failed";
  answer: string | null;
  createdAt: number;
}

/** With the status of its run; null when it has none yet. */
export interface ListedExchange extends Exchange {
  taskStatus: TaskStatus | null;
}

export type ExchangeStore = ReturnType<typeof createExchangeStore>;

const COLUMNS =
  "id, owner_id, trigger_id, conversation, message_id, message, task_id, status, answer, created_at";
/** A process that stops between the start of the run and its record leaves only the key: a second run must not start. */
const TASK_OF_KEY =
  "(select task_id from idempotency where scope = 'chat:' || chat_exchange.trigger_id and key = chat_exchange.id)";

export function createExchangeStore(db: Db) {
  return {
    /** The stored exchange: the one of an earlier request when it had the same message id. */
    async insert(exchange: Exchange): Promise<Exchange> {
      const { ownerId, triggerId, conversation, messageId, ...rest } = exchange;
      const identity = { triggerId, conversation, messageId };
      const [inserted] = await db.batch([
        {
          sql: `insert into chat_exchange (${COLUMNS})
                values ($id, $ownerId, $triggerId, $conversation, $messageId, $message, $taskId, $status, $answer, $createdAt)
                on conflict do nothing returning id`,
          params: { ...identity, ...rest, ownerId },
        },
      ]);
      if (inserted?.length === 1) return exchange;
      const [row] = await db.query(
        `select ${COLUMNS}, ${TASK_OF_KEY} as started_task from chat_exchange
         where trigger_id = $triggerId and conversation = $conversation and message_id = $messageId`,
        identity,
      );
      if (row === undefined) return exchange;
      const stored = toExchange(row);
      return { ...stored, taskId: stored.taskId ?? (row["started_task"] as string | null) };
    },

    async started(id: string, taskId: string): Promise<void> {
      await db.batch([
        {
          sql: `update chat_exchange set status = case when task_id is null then 'running' else status end, task_id = $taskId
                where id = $id`,
          params: { id, taskId },
        },
      ]);
    },

    async ended(id: string, { status, answer }: Pick<Exchange, "status" | "answer">): Promise<void> {
      await db.batch([
        {
          sql: "update chat_exchange set status = $status, answer = $answer where id = $id and status = 'running'",
          params: { id, status, answer },
        },
      ]);
    },

    /** The last exchanges of a conversation, oldest first. */
    async list(
      triggerId: string,
      conversation: string,
      { before = AFTER_EVERY_ID, limit }: { before?: string; limit: number },
    ): Promise<ListedExchange[]> {
      const rows = await db.query(
        `select ${COLUMNS}, (select status from task where task.id = chat_exchange.task_id) as task_status from chat_exchange where trigger_id = $triggerId and conversation = $conversation and id < $before
         order by id desc limit $limit`,
        { triggerId, conversation, before, limit },
      );
      return rows
        .map((row) => ({ ...toExchange(row), taskStatus: row["task_status"] as TaskStatus | null }))
        .toReversed();
    },

    async countConversation(triggerId: string, conversation: string): Promise<number> {
      const [row] = await db.query(
        "select count(*) as n from chat_exchange where trigger_id = $triggerId and conversation = $conversation",
        { triggerId, conversation },
      );
      return Number(row?.["n"]);
    },

    async countOwned(ownerId: string): Promise<number> {
      const [row] = await db.query("select count(*) as n from chat_exchange where owner_id = $ownerId", {
        ownerId,
      });
      return Number(row?.["n"]);
    },

    async removeConversation(triggerId: string, conversation: string): Promise<void> {
      await db.batch([
        {
          sql: "delete from chat_exchange where trigger_id = $triggerId and conversation = $conversation",
          params: { triggerId, conversation },
        },
      ]);
    },

    /** Deletes up to `limit` exchanges that began before this time; returns how many. */
    prune: (before: number, limit: number): Promise<number> =>
      deleteOlder(db, { table: "chat_exchange", idPrefix: "msg" }, before, limit),
  };
}

function toExchange(row: Row): Exchange {
  return {
    id: row["id"] as string,
    ownerId: row["owner_id"] as string,
    triggerId: row["trigger_id"] as string,
    conversation: row["conversation"] as string,
    messageId: row["message_id"] as string,
    message: row["message"] as string,
    taskId: row["task_id"] as string | null,
    status: row["status"] as Exchange["status"],
    answer: row["answer"] as string | null,
    createdAt: Number(row["created_at"]),
  };
}
