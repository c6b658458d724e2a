import type { Migration } from "../migrate.ts";

/** Method and query of a delivery, so that a redelivery has the same trigger data. Earlier deliveries were POST. */
export const deliveryRequests: Migration = {
  version: 11,
  name: "delivery requests",
  statements: [
    "alter table webhook_delivery add column method text not null default 'POST'",
    "alter table webhook_delivery add column query text not null default '{}'",
  ],
};
