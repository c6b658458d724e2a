import type { Migration } from "../migrate.ts";

/**
 * Who may decide an approval and how many must; the decisions, kept as long as their task; the links of single approvers. `seq` is
 * the number of the journal entry that opened the approval: a rerun opens another one at the same path.
 */
export const approvers: Migration = {
  version: 57,
  name: "approvers",
  statements: [
    "alter table approval add column seq bigint not null default 0",
    "alter table approval add column approvers text",
    "alter table approval add column required_approvals bigint not null default 1",
    `create table approval_decision (
      id text primary key,
      task_id text not null,
      path text not null,
      seq bigint not null,
      decider text not null,
      decision text not null,
      comment text,
      data text,
      decided_by text not null,
      person_id text,
      person_name text,
      person_email text,
      via text not null,
      link_created_by text,
      at bigint not null
    )`,
    "create unique index approval_decision_once on approval_decision (task_id, path, seq, decider)",
    `create table approval_link (
      link_id text primary key,
      task_id text not null,
      path text not null,
      seq bigint not null,
      email text not null,
      created_by text not null,
      notice_attempts bigint not null default 0,
      notice_retry_at bigint,
      notice_sent_at bigint,
      notice_error text
    )`,
    "create unique index approval_link_once on approval_link (task_id, path, seq, email, created_by)",
  ],
};
