import type { Migration } from "../migrate.ts";

/** A message that a caller repeats is stored once. */
export const a2aMessageOnce: Migration = {
  version: 41,
  name: "a2a message once",
  statements: ["create unique index a2a_message_once on a2a_message (task_id, message_id)"],
};
