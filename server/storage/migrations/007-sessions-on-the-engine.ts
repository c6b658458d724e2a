import type { Migration } from "../migrate.ts";

/**
 * A session is driven by its own task, which has the session's id and runs in a separate lane. Every existing session gets
 * one: an open session stays due when it was due, an ended one is parked until it receives a message.
 */
export const sessionsOnTheEngine: Migration = {
  version: 7,
  name: "sessions on the engine",
  statements: [
    "alter table task add column lane text not null default 'task'",
    "drop index task_due",
    "create index task_due on task (lane, run_at) where run_at is not null",
    `insert into task (id, owner_id, lane, workflow_id, workflow_version, status, trigger, input, depth, epoch, wake, run_at, lives, lives_seq,
       created_at, started_at, completed_at)
     select id, owner_id, 'session', 'session', 1, case when status = 'cancelled' then 'cancelled' else 'waiting' end, 'team', '{}', 0, epoch, wake,
       case when status in ('waiting', 'active') then coalesce(run_at, 0) end, 0, 0, created_at, started_at,
       case when status = 'cancelled' then completed_at end
     from session`,
    // Turns of agents since the last message from outside.
    "alter table session add column turns bigint not null default 0",
    `update session set turns = (
       select count(distinct m.from_type || ' ' || m.from_id || ' ' || m.seen) from session_message as m
       where m.session_id = session.id and m.seen is not null and m.seq > coalesce(
         (select max(o.seq) from session_message as o where o.session_id = session.id and o.outside = 1), 0))`,
    "drop index session_due",
    "drop index session_by_worker",
    "alter table session drop column epoch",
    "alter table session drop column wake",
    "alter table session drop column worker_id",
    "alter table session drop column run_at",
    "alter table session drop column lives",
    "alter table session drop column lives_seq",
    // One key starts one session of a team, however many requests carry it at once. The newest session keeps it.
    "alter table session add column begin_key text",
    `update session set begin_key = (select m.dedupe_key from session_message as m where m.session_id = session.id and m.seq = 1)
     where id in (select max(s.id) from session as s join session_message as m on m.session_id = s.id and m.seq = 1
       where m.dedupe_key is not null group by s.team_id, m.dedupe_key)`,
    "create unique index session_by_key on session (team_id, begin_key) where begin_key is not null",
    // A resent write finds its first message and stores nothing twice.
    "create unique index session_message_by_id on session_message (id)",
  ],
};
