import type { PageQuery } from "../../contract/api.ts";
import type { ResultPage } from "../lib/result-page.ts";
import type { Db, Row, Statement } from "../storage/db.ts";
import { DELIVERY_COLUMNS as COLUMNS } from "../storage/engine/task-delivery.ts";
import { sizedPage } from "../storage/paging.ts";

export interface DeliveryRecord {
  id: string;
  webhookId: string;
  status: "accepted" | "rejected";
  reason: string | null;
  method: string;
  headers: Record<string, string>;
  query: Record<string, string | string[]>;
  /** The JSON text as received, or the fields of a form as JSON; null when it was not valid JSON or the sender was not authenticated. */
  body: string | null;
  taskId: string | null;
  redeliveryOf: string | null;
  createdAt: number;
}

/** Limits for the deliveries of a webhook with one status; the newest are kept. */
export interface DeliveryBounds {
  deliveries: number;
  characters: number;
}

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;

export function createDeliveryStore(db: Db) {
  return {
    async insert(delivery: DeliveryRecord): Promise<void> {
      const headers = JSON.stringify(delivery.headers);
      const query = JSON.stringify(delivery.query);
      await db.batch([
        {
          // Selecting from webhook inserts nothing when the webhook was deleted in the meantime.
          sql: `insert into webhook_delivery (${COLUMNS})
                select $id, id, $status, $reason, $method, $headers, $query, $body, cast($characters as bigint), $taskId, $redeliveryOf,
                  cast($createdAt as bigint) from webhook where id = $webhookId`,
          params: {
            ...delivery,
            headers,
            query,
            characters: headers.length + query.length + (delivery.body?.length ?? 0),
          },
        },
      ]);
    },

    /** Deletes up to `limit` deliveries; returns how many. */
    async removeSome(webhookId: string, limit: number): Promise<number> {
      const [removed = []] = await db.batch([
        {
          sql: `delete from webhook_delivery where id in
                  (select id from webhook_delivery where webhook_id = $webhookId order by id limit $limit) returning 1 as one`,
          params: { webhookId, limit },
        },
      ]);
      return removed.length;
    },

    list: (webhookId: string, page: PageQuery): Promise<ResultPage<DeliveryRecord>> =>
      sizedPage(
        db,
        {
          columns: COLUMNS,
          from: "from webhook_delivery where webhook_id = $webhookId",
          params: { webhookId },
          size: "characters",
        },
        page,
        toDelivery,
      ),

    async find(webhookId: string, id: string): Promise<DeliveryRecord | undefined> {
      const [row] = await db.query(
        `select ${COLUMNS} from webhook_delivery where id = $id and webhook_id = $webhookId`,
        { id, webhookId },
      );
      return row === undefined ? undefined : toDelivery(row);
    },

    async prune(
      kind: Pick<DeliveryRecord, "webhookId" | "status">,
      { deliveries, characters }: DeliveryBounds,
    ): Promise<void> {
      const { webhookId, status } = kind;
      await db.batch(pruneKind({ webhookId, status, maxRows: deliveries, maxCharacters: characters }));
    },
  };
}

const OF_KIND = "from webhook_delivery where webhook_id = $webhookId and status = $status";

/** Running totals cost five times as much as the rest, so they are computed only when the sum is above its limit. */
function pruneKind({
  maxRows,
  maxCharacters,
  ...kind
}: {
  webhookId: string;
  status: DeliveryRecord["status"];
  maxRows: number;
  maxCharacters: number;
}): Statement[] {
  return [
    {
      sql: `delete ${OF_KIND} and id <= (select id ${OF_KIND} order by id desc limit 1 offset $maxRows)`,
      params: { ...kind, maxRows },
    },
    {
      sql: `delete from webhook_delivery where id in (
              select id from (
                select id, row_number() over (order by id desc) as place, sum(characters) over (order by id desc) as total
                ${OF_KIND} and (select sum(characters) ${OF_KIND}) > $maxCharacters
              ) as kept where total > $maxCharacters and place > 1)`,
      params: { ...kind, maxCharacters },
    },
  ];
}

function toDelivery(row: Row): DeliveryRecord {
  return {
    id: row["id"] as string,
    webhookId: row["webhook_id"] as string,
    status: row["status"] as DeliveryRecord["status"],
    reason: row["reason"] as string | null,
    method: row["method"] as string,
    headers: JSON.parse(row["headers"] as string) as Record<string, string>,
    query: JSON.parse(row["query"] as string) as DeliveryRecord["query"],
    body: row["body"] as string | null,
    taskId: row["task_id"] as string | null,
    redeliveryOf: row["redelivery_of"] as string | null,
    createdAt: Number(row["created_at"]),
  };
}
