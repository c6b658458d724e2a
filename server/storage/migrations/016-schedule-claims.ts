import type { Migration } from "../migrate.ts";

/** Due schedules are claimed by one process, and a schedule may wait for its previous run. */
export const scheduleClaims: Migration = {
  version: 16,
  name: "schedule claims",
  statements: [
    "alter table schedule add column overlap text not null default 'allow'",
    // The first claim of the due time: a claim after a crash does not turn a punctual run into a missed one.
    "alter table schedule add column claimed_at bigint",
    "alter table schedule add column claimed_until bigint",
    // The time whose run waits for the end of the previous one.
    "alter table schedule add column waiting_at bigint",
    "create index schedule_claimed on schedule (claimed_until) where claimed_until is not null",
    "create index schedule_waiting on schedule (waiting_at) where waiting_at is not null",
  ],
};
