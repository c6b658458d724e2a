import type { Migration } from "../migrate.ts";

/** Time limit, error workflow and concurrency of the runs of a workflow. */
export const runSettings: Migration = {
  version: 51,
  name: "run settings",
  statements: ["alter table workflow add column settings text"],
};
