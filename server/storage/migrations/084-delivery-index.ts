import type { Migration } from "../migrate.ts";

/** One index lists the deliveries of a webhook, and pruning counts rows and characters in it without touching a body. */
export const deliveryIndex: Migration = {
  version: 84,
  name: "delivery index",
  statements: [
    "create index webhook_delivery_by_webhook_size on webhook_delivery (webhook_id, id, status, characters)",
    "drop index webhook_delivery_by_webhook",
    "drop index webhook_delivery_by_status",
  ],
};
