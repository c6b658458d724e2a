import type { TaskDelivery } from "../../engine/store.ts";
import type { SqlValue, Statement } from "../db.ts";
import { inPowersOfTwo, ROWS_AT_ONCE, valueRows } from "./rows-at-once.ts";

export const DELIVERY_COLUMNS =
  "id, webhook_id, status, reason, method, headers, query, body, characters, task_id, redelivery_of, created_at";

/** The call of a webhook that started the task. */
export interface DeliveryOfTask {
  taskId: string;
  delivery: TaskDelivery;
}

const COLUMNS = [
  ["id", "text"],
  ["webhook_id", "text"],
  ["task_id", "text"],
  ["method", "text"],
  ["headers", "text"],
  ["query", "text"],
  ["body", "text"],
  ["characters", "bigint"],
  ["created_at", "bigint"],
] as const;
const NAMES = COLUMNS.map(([name]) => name).join(", ");
/** The names that both SQLite and PostgreSQL give the columns of a list of values. */
const VALUES = COLUMNS.map((_column, index) => `entry.column${index + 1}`).join(", ");

/**
 * By the number of deliveries. Inserts nothing for a webhook that was deleted in the meantime. The scalar subqueries keep
 * PostgreSQL from a join: on a table without statistics it would scan all of it, and keep that plan while the table grows.
 */
const INSERT = Array.from(
  { length: ROWS_AT_ONCE + 1 },
  (_, count) => `
  insert into webhook_delivery (status, ${NAMES}) select 'accepted', ${VALUES} from (values ${valueRows(COLUMNS, count)}) as entry
  where (select id from webhook where id = entry.column2) is not null and (select id from task where id = entry.column3) is not null
  on conflict do nothing`,
);

/** After the inserts of the tasks, some of which may have been refused. */
export function insertDeliveries(deliveries: readonly DeliveryOfTask[]): Statement[] {
  return inPowersOfTwo(deliveries).map((group) => {
    const params: SqlValue[] = [];
    for (const { taskId, delivery } of group) {
      const headers = JSON.stringify(delivery.headers);
      const query = JSON.stringify(delivery.query);
      params.push(delivery.id, delivery.webhookId, taskId, delivery.method, headers, query, delivery.body);
      params.push(headers.length + query.length + delivery.body.length, delivery.createdAt);
    }
    return { sql: INSERT[group.length]!, params };
  });
}
