import type { Migration } from "../migrate.ts";

/** Tasks that external agents work on for a session, and the secrets with which single external agents call a team. */
export const externalAgents: Migration = {
  version: 43,
  name: "external agents",
  statements: [
    `create table remote_task (
      session_id text not null references session (id) on delete cascade,
      agent text not null,
      message_id text not null,
      owner_id text not null,
      team_id text not null,
      context_id text,
      task_id text,
      state text not null,
      reply text not null,
      attempts bigint not null,
      due_at bigint,
      created_at bigint not null,
      primary key (session_id, agent, message_id)
    )`,
    "create index remote_task_due on remote_task (due_at) where due_at is not null",
    "create index remote_task_due_by_owner on remote_task (owner_id, due_at) where due_at is not null",
    `create table external_agent_secret (
      team_id text not null references team (id) on delete cascade,
      name text not null,
      secret_hash text not null,
      created_at bigint not null,
      primary key (team_id, name)
    )`,
  ],
};
