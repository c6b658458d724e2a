import type { Migration } from "../migrate.ts";

/** What one answer of an agent may use: model calls and tokens. */
export const agentLimits: Migration = {
  version: 27,
  name: "agent limits",
  statements: ["alter table agent add column limits text not null default '{}'"],
};
