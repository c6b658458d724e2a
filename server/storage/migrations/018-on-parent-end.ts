import type { Migration } from "../migrate.ts";

/** `continue` for a task that outlives the task whose step started it; null for one that is cancelled with it. */
export const onParentEnd: Migration = {
  version: 18,
  name: "on parent end",
  statements: ["alter table task add column on_parent_end text"],
};
