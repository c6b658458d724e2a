import type { Migration } from "../migrate.ts";

const tables = [
  // One row a chain: a workspace, or `instance`. Events up to the anchor were deleted by the retention.
  `create table audit_chain (
    owner_id text primary key,
    sequence bigint not null,
    hash text not null,
    anchor_sequence bigint not null,
    anchor_hash text not null
  )`,
  `create table audit_event (
    owner_id text not null,
    sequence bigint not null,
    at bigint not null,
    stage text not null,
    action_id text not null,
    action text not null,
    outcome text,
    status bigint,
    error text,
    actor_kind text not null,
    actor_id text,
    actor_name text,
    key_id text,
    target_kind text,
    target_id text,
    target_name text,
    address text,
    user_agent text,
    request_id text,
    state_before text,
    state_after text,
    previous_hash text not null,
    hash text not null,
    primary key (owner_id, sequence)
  )`,
  "create index audit_event_by_action_id on audit_event (owner_id, action_id, stage)",
  "create index audit_event_by_action on audit_event (owner_id, action, sequence)",
  "create index audit_event_by_actor on audit_event (owner_id, actor_id, sequence)",
  "create index audit_event_by_target on audit_event (owner_id, target_id, sequence)",
  "create index audit_event_by_time on audit_event (owner_id, at)",
];

const MESSAGE = "audit events are append-only";

/** An append-only log of changes and sensitive reads. Only events up to the anchor of their chain can be deleted. */
export const auditLog: Migration = {
  version: 68,
  name: "audit log",
  statements: {
    sqlite: [
      ...tables,
      `create trigger audit_event_is_final before update on audit_event
       begin select raise(abort, '${MESSAGE}'); end`,
      `create trigger audit_event_is_kept before delete on audit_event
       when old.sequence > coalesce((select anchor_sequence from audit_chain where owner_id = old.owner_id), 0)
       begin select raise(abort, '${MESSAGE}'); end`,
    ],
    postgres: [
      ...tables,
      `create function refuse_audit_change() returns trigger language plpgsql as $$ begin
         if tg_op = 'DELETE' and old.sequence <= coalesce(
           (select anchor_sequence from audit_chain where owner_id = old.owner_id), 0) then return old; end if;
         raise exception '${MESSAGE}';
       end $$`,
      `create trigger audit_event_is_final before update or delete on audit_event
       for each row execute function refuse_audit_change()`,
    ],
  },
};
