import type { Migration } from "../migrate.ts";

/** Webhooks of tasks are served by owner in turn. */
export const a2aPushByOwner: Migration = {
  version: 45,
  name: "a2a push by owner",
  statements: [
    "create index a2a_push_config_due_by_owner on a2a_push_config (owner_id, due_at) where due_at is not null",
  ],
};
