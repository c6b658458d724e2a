import type { Migration } from "../migrate.ts";

/** The filters of the audit log by name or API key read an index. */
export const auditNames: Migration = {
  version: 83,
  name: "audit names",
  statements: [
    "create index audit_event_by_key on audit_event (owner_id, key_id, sequence)",
    "create index audit_event_by_actor_name on audit_event (owner_id, lower(actor_name), sequence)",
    "create index audit_event_by_target_name on audit_event (owner_id, lower(target_name), sequence)",
  ],
};
