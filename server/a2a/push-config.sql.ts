import { createDueRows } from "../outbox/due-rows.sql.ts";
import type { Share } from "../outbox/share-slots.ts";
import type { Db, Row } from "../storage/db.ts";

/** A webhook that receives the changes of a task. */
export interface PushConfigRecord {
  id: string;
  ownerId: string;
  agentId: string;
  caller: string;
  taskId: string;
  contextId: string;
  /** The caller's id of it, unique for the task. */
  configId: string;
  url: string;
  /** The token and the credentials, encrypted. */
  sealed: string;
  /** The version of the protocol that the caller speaks. */
  protocol: string;
  /** The last status that was queued for it. */
  reported: string | null;
  dueAt: number | null;
  createdAt: number;
}

/** A process that crashed keeps what it claimed this long. */
const CLAIM_MS = 60_000;

export type PushConfigStore = ReturnType<typeof createPushConfigStore>;

export function createPushConfigStore(db: Db) {
  return {
    /** Replaces the one with the same id of the same task. */
    async save(config: PushConfigRecord): Promise<void> {
      await db.batch([
        {
          sql: `insert into a2a_push_config (id, owner_id, agent_id, caller, task_id, context_id, config_id, url, sealed, protocol, reported,
                  due_at, created_at)
                values ($id, $ownerId, $agentId, $caller, $taskId, $contextId, $configId, $url, $sealed, $protocol, $reported, $dueAt, $createdAt)
                on conflict (task_id, config_id) do update set id = excluded.id, url = excluded.url, sealed = excluded.sealed,
                  protocol = excluded.protocol, due_at = excluded.due_at`,
          params: { ...config },
        },
      ]);
    },

    async list(taskId: string): Promise<PushConfigRecord[]> {
      const rows = await db.query(
        "select * from a2a_push_config where task_id = $taskId order by created_at, id",
        { taskId },
      );
      return rows.map(toRecord);
    },

    async find(id: string, ownerId: string): Promise<PushConfigRecord | undefined> {
      const [row] = await db.query("select * from a2a_push_config where id = $id and owner_id = $ownerId", {
        id,
        ownerId,
      });
      return row === undefined ? undefined : toRecord(row);
    },

    async remove(taskId: string, configId: string): Promise<void> {
      await db.batch([
        {
          sql: "delete from a2a_push_config where task_id = $taskId and config_id = $configId",
          params: { taskId, configId },
        },
      ]);
    },

    /** The receiver wants no more messages. */
    async disable(id: string, ownerId: string): Promise<void> {
      await db.batch([
        {
          sql: "delete from a2a_push_config where id = $id and owner_id = $ownerId",
          params: { id, ownerId },
        },
      ]);
    },

    ...createDueRows(db, "a2a_push_config"),

    /** Until the claim expires no other process looks at these tasks. */
    async claim(shares: readonly Share[], now: number): Promise<PushConfigRecord[]> {
      const rows = await db.batch(
        shares.map(({ ownerId, count }) => ({
          sql: `with due as materialized
                  (select id from a2a_push_config where owner_id = $ownerId and due_at <= $now
                   order by due_at limit $count /*skip-locked*/)
                update a2a_push_config set due_at = $until where id in (select id from due) returning *`,
          params: { ownerId, count, now, until: now + CLAIM_MS },
        })),
        { alone: true },
      );
      return rows.flat().map(toRecord);
    },

    async record(id: string, reported: string | null, dueAt: number | null): Promise<void> {
      await db.batch([
        {
          sql: "update a2a_push_config set reported = $reported, due_at = $dueAt where id = $id",
          params: { id, reported, dueAt },
        },
      ]);
    },
  };
}

function toRecord(row: Row): PushConfigRecord {
  return {
    id: row["id"] as string,
    ownerId: row["owner_id"] as string,
    agentId: row["agent_id"] as string,
    caller: row["caller"] as string,
    taskId: row["task_id"] as string,
    contextId: row["context_id"] as string,
    configId: row["config_id"] as string,
    url: row["url"] as string,
    sealed: row["sealed"] as string,
    protocol: row["protocol"] as string,
    reported: row["reported"] as string | null,
    dueAt: row["due_at"] === null ? null : Number(row["due_at"]),
    createdAt: Number(row["created_at"]),
  };
}
