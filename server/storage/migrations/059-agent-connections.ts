import type { Migration } from "../migrate.ts";

/** The connection and the address with which an agent calls its model, in place of the models of the instance. */
export const agentConnections: Migration = {
  version: 59,
  name: "connections of agents",
  statements: [
    "alter table agent add column connection_id text",
    "alter table agent add column base_url text",
  ],
};
