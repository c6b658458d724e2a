import type { Migration } from "../migrate.ts";

/** Names that stay reserved for their former owner: `slug` of an endpoint, `source` of a webhook. */
export const nameReservations: Migration = {
  version: 12,
  name: "name reservations",
  statements: [
    `create table name_reservation (
      kind text not null,
      name text not null,
      owner_id text not null,
      until bigint not null,
      primary key (kind, name, owner_id)
    )`,
    "create index name_reservation_by_end on name_reservation (until)",
  ],
};
