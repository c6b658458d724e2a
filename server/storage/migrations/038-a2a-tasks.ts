import type { Migration } from "../migrate.ts";

export const a2aTasks: Migration = {
  version: 38,
  name: "a2a tasks",
  statements: [
    // Which caller started a task over A2A. The status of the task is in `task` or `session`.
    `create table a2a_task (
      id text primary key,
      owner_id text not null,
      agent_id text not null,
      caller text not null,
      context_id text not null,
      seq bigint,
      created_at bigint not null
    )`,
    "create index a2a_task_by_caller on a2a_task (agent_id, caller, id)",
    "create index a2a_task_by_context on a2a_task (context_id)",
    "create index a2a_task_by_owner on a2a_task (owner_id, id)",
    // Messages between the caller and a workflow; those of a session are in its log.
    `create table a2a_message (
      id text primary key,
      owner_id text not null,
      task_id text not null,
      role text not null,
      message_id text not null,
      parts text not null,
      created_at bigint not null
    )`,
    "create index a2a_message_by_task on a2a_message (task_id, id)",
    "create index a2a_message_by_owner on a2a_message (owner_id, id)",
    // The first entry of the exchange that a message from outside continues; null when it starts another one.
    "alter table session_message add column continues bigint",
  ],
};
