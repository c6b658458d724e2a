import type { PageQuery } from "../../contract/api.ts";
import { createId } from "../lib/ids.ts";
import type { ResultPage } from "../lib/result-page.ts";
import type { Db, Row, SqlValue, Statement } from "../storage/db.ts";
import { sizedPage } from "../storage/paging.ts";
import { createDueRows } from "./due-rows.sql.ts";
import type { Share } from "./share-slots.ts";

export type DeliveryStatus = "pending" | "delivered" | "failed";

/** A message to one receiver. */
export interface NewOutboxDelivery {
  ownerId: string;
  /** The feature that sends it, which knows the receivers of this kind. */
  kind: string;
  /** The receiver: the id of a record of that feature. */
  targetId: string;
  /** What the message is about, for lists: the type of an event. */
  label: string;
  /** The task or session that the message is about. */
  subject: string | null;
  contentType: string;
  body: string;
}

export interface OutboxDelivery extends NewOutboxDelivery {
  id: string;
  status: DeliveryStatus;
  attempts: number;
  /** The next attempt; null when there is none. */
  dueAt: number | null;
  lastAttemptAt: number | null;
  responseStatus: number | null;
  responseExcerpt: string | null;
  error: string | null;
  createdAt: number;
}

/** What an attempt changes. */
export interface AttemptOutcome extends Pick<
  OutboxDelivery,
  "status" | "dueAt" | "responseStatus" | "responseExcerpt" | "error"
> {
  at: number;
}

export type OutboxStore = ReturnType<typeof createOutboxStore>;

/** A process that crashed or hangs keeps what it claimed this long. An attempt takes less. */
export const CLAIM_MS = 60_000;

/** For the batch that stores the fact which the message reports: either both are stored or none. */
export function insertDelivery(
  delivery: NewOutboxDelivery,
  now: number,
  onlyIf: { sql: string; params: Readonly<Record<string, SqlValue>> } = { sql: "true", params: {} },
): Statement {
  return {
    sql: `insert into outbox_delivery (id, owner_id, kind, target_id, label, subject, content_type, body, status, attempts, due_at, created_at)
          select $id, $ownerId, $kind, $targetId, $label, $subject, $contentType, $body, 'pending', 0, cast($now as bigint), cast($now as bigint)
          where ${onlyIf.sql}`,
    params: { ...delivery, ...onlyIf.params, id: createId("msg", now), now },
  };
}

export function createOutboxStore(db: Db) {
  return {
    async insert(deliveries: readonly NewOutboxDelivery[], now: number): Promise<void> {
      await db.batch(deliveries.map((delivery) => insertDelivery(delivery, now)));
    },

    ...createDueRows(db, "outbox_delivery"),

    /** Until the claim expires the rows are not due, so no other process takes them. */
    async claim(shares: readonly Share[], now: number): Promise<OutboxDelivery[]> {
      const rows = await db.batch(
        shares.map(({ ownerId, count }) => ({
          sql: `with due as materialized
                  (select id from outbox_delivery where owner_id = $ownerId and due_at <= $now
                   order by due_at limit $count /*skip-locked*/)
                update outbox_delivery set attempts = attempts + 1, due_at = $until, last_attempt_at = $now
                where id in (select id from due) returning *`,
          params: { ownerId, count, now, until: now + CLAIM_MS },
        })),
        { alone: true },
      );
      return rows.flat().map(toDelivery);
    },

    /** Stores nothing when another process has claimed the delivery since. */
    async record(
      { id, attempts }: Pick<OutboxDelivery, "id" | "attempts">,
      outcome: AttemptOutcome,
    ): Promise<void> {
      await db.batch([
        {
          sql: `update outbox_delivery set status = $status, due_at = $dueAt, response_status = $responseStatus,
                  response_excerpt = $responseExcerpt, error = $error, last_attempt_at = $at
                where id = $id and attempts = $attempts and status = 'pending'`,
          params: { id, attempts, ...outcome },
        },
      ]);
    },

    /** Gives up a claim: the attempt was not made. */
    async release({ id, attempts }: Pick<OutboxDelivery, "id" | "attempts">, now: number): Promise<void> {
      await db.batch([
        {
          sql: `update outbox_delivery set attempts = attempts - 1, due_at = $now
                where id = $id and attempts = $attempts and status = 'pending'`,
          params: { id, attempts, now },
        },
      ]);
    },

    /** The same message again, due now; undefined when the receiver has no such delivery. */
    async resend(
      kind: string,
      targetId: string,
      id: string,
      now: number,
    ): Promise<OutboxDelivery | undefined> {
      const [rows = []] = await db.batch([
        {
          sql: `update outbox_delivery set attempts = case when status = 'pending' then attempts else 0 end,
                  status = 'pending', due_at = $now
                where id = $id and kind = $kind and target_id = $targetId returning *`,
          params: { id, kind, targetId, now },
        },
      ]);
      return rows[0] === undefined ? undefined : toDelivery(rows[0]);
    },

    list: (kind: string, targetId: string, page: PageQuery): Promise<ResultPage<OutboxDelivery>> =>
      sizedPage(
        db,
        {
          columns: COLUMNS,
          from: "from outbox_delivery where kind = $kind and target_id = $targetId",
          params: { kind, targetId },
          size: "length(body)",
        },
        page,
        toDelivery,
      ),

    /** Deletes up to `limit` deliveries of a receiver; returns how many. */
    async removeSome(kind: string, targetId: string, limit: number): Promise<number> {
      const [removed = []] = await db.batch([
        {
          sql: `delete from outbox_delivery where id in
                  (select id from outbox_delivery where kind = $kind and target_id = $targetId order by id limit $limit)
                returning 1 as one`,
          params: { kind, targetId, limit },
        },
      ]);
      return removed.length;
    },

    /** Deletes up to `limit` ended deliveries created before this time; returns how many. */
    async prune(before: number, limit: number): Promise<number> {
      const [removed = []] = await db.batch([
        {
          sql: `delete from outbox_delivery where id in
                  (select id from outbox_delivery where created_at <= $before and due_at is null
                   order by created_at limit $limit)
                returning 1 as one`,
          params: { before, limit },
        },
      ]);
      return removed.length;
    },
  };
}

const COLUMNS = `id, owner_id, kind, target_id, label, subject, content_type, body, status, attempts, due_at, last_attempt_at,
  response_status, response_excerpt, error, created_at`;

function toDelivery(row: Row): OutboxDelivery {
  const time = (column: string) => (row[column] === null ? null : Number(row[column]));
  return {
    id: row["id"] as string,
    ownerId: row["owner_id"] as string,
    kind: row["kind"] as string,
    targetId: row["target_id"] as string,
    label: row["label"] as string,
    subject: row["subject"] as string | null,
    contentType: row["content_type"] as string,
    body: row["body"] as string,
    status: row["status"] as DeliveryStatus,
    attempts: Number(row["attempts"]),
    dueAt: time("due_at"),
    lastAttemptAt: time("last_attempt_at"),
    responseStatus: time("response_status"),
    responseExcerpt: row["response_excerpt"] as string | null,
    error: row["error"] as string | null,
    createdAt: Number(row["created_at"]),
  };
}
