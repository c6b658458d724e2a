import type { Migration } from "../migrate.ts";

export const engine: Migration = {
  version: 2,
  name: "engine",
  statements: [
    // run_at is set exactly while the task waits to be picked up: queued, due later, or timing out later.
    `create table task (
      id text primary key,
      owner_id text not null,
      workflow_id text not null,
      workflow_version bigint not null,
      status text not null,
      trigger text not null,
      input text not null,
      options text,
      result text,
      result_ref text,
      error text,
      parent_task_id text,
      parent_step text,
      depth bigint not null,
      epoch bigint not null,
      wake bigint not null,
      worker_id text,
      run_at bigint,
      lives bigint not null,
      lives_seq bigint not null,
      created_at bigint not null,
      started_at bigint,
      completed_at bigint
    )`,
    "create index task_by_owner on task (owner_id, id)",
    "create index task_by_workflow on task (owner_id, workflow_id, id)",
    // Nearly all tasks of a long history are completed; the rest is what people filter for.
    "create index task_not_completed on task (owner_id, status, id) where status <> 'completed'",
    "create index task_due on task (run_at) where run_at is not null",
    "create index task_by_worker on task (worker_id) where worker_id is not null",
    "create unique index task_by_parent on task (parent_task_id, parent_step) where parent_step is not null",
    `create table journal (
      task_id text not null,
      seq bigint not null,
      epoch bigint not null,
      kind text not null,
      path text not null,
      type text not null,
      status text not null,
      attempt bigint not null,
      final bigint not null,
      input text,
      output text,
      output_ref text,
      error text,
      extra text,
      due bigint,
      started_at bigint,
      at bigint not null,
      primary key (task_id, seq)
    )`,
    `create table approval (
      task_id text not null,
      path text not null,
      owner_id text not null,
      message text not null,
      requested_at bigint not null,
      decision text,
      comment text,
      data text,
      decided_by text,
      decided_at bigint,
      primary key (task_id, path)
    )`,
    "create index approval_by_owner on approval (owner_id, requested_at) where decided_at is null",
    `create table idempotency (
      scope text not null,
      key text not null,
      body_hash text not null,
      task_id text not null,
      created_at bigint not null,
      primary key (scope, key)
    )`,
    "create index idempotency_by_age on idempotency (created_at)",
    `create table worker (
      id text primary key,
      started_at bigint not null,
      heartbeat_at bigint not null
    )`,
  ],
};
