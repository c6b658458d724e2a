import type { TaskDelivery } from "../../engine/store.ts";
import type { Statement } from "../db.ts";

export const DELIVERY_COLUMNS =
  "id, webhook_id, status, reason, method, headers, query, body, characters, task_id, redelivery_of, created_at";

/**
 * After the insert of the task, which may have been refused. Selecting from webhook inserts nothing when the webhook was
 * deleted in the meantime.
 */
export function insertDelivery(taskId: string, delivery: TaskDelivery): Statement {
  const headers = JSON.stringify(delivery.headers);
  const query = JSON.stringify(delivery.query);
  return {
    sql: `insert into webhook_delivery (${DELIVERY_COLUMNS})
          select $id, id, 'accepted', null, $method, $headers, $query, $body, cast($characters as bigint), $taskId, null,
            cast($createdAt as bigint) from webhook
          where id = $webhookId and exists (select 1 from task where id = $taskId) on conflict do nothing`,
    params: {
      id: delivery.id,
      webhookId: delivery.webhookId,
      method: delivery.method,
      headers,
      query,
      body: delivery.body,
      characters: headers.length + query.length + delivery.body.length,
      taskId,
      createdAt: delivery.createdAt,
    },
  };
}
