import type { Migration } from "../migrate.ts";

/** The connections and apps of the owner that a graph names. Their ids are random, so a text that contains one names it. */
const named = (isDraft: 0 | 1, from: string) => `insert into workflow_use (used_id, workflow_id, is_draft)
  select used.id, w.id, ${isDraft} from ${from}
    join (select id, owner_id from connection union all select id, owner_id from api_app) as used on used.owner_id = w.owner_id
  where ${isDraft === 1 ? "d" : "w"}.graph like '%"' || used.id || '"%'`;

/** The connections and apps that the live version and the draft of a workflow name, written with them. */
export const connectionReferences: Migration = {
  version: 66,
  name: "connections of workflows",
  statements: [
    `create table workflow_use (
      used_id text not null,
      workflow_id text not null references workflow (id) on delete cascade,
      is_draft bigint not null,
      primary key (used_id, workflow_id, is_draft)
    )`,
    "create index workflow_use_by_workflow on workflow_use (workflow_id)",
    named(0, "workflow as w"),
    named(1, "workflow_draft as d join workflow as w on w.id = d.workflow_id"),
  ],
};
