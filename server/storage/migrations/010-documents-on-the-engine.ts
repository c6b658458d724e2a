import type { Migration } from "../migrate.ts";

/**
 * A document is processed by a task of its own, which has the document's id and the lane `ingestion`. Every document
 * gets one: it is due at once if a process was ingesting or deleting the document, and parked otherwise.
 */
export const documentsOnTheEngine: Migration = {
  version: 10,
  name: "documents on the engine",
  statements: [
    `insert into task (id, owner_id, lane, workflow_id, workflow_version, status, trigger, input, depth, epoch, wake, run_at, lives, lives_seq,
       created_at)
     select id, owner_id, 'ingestion', 'ingestion', 1, case when status in ('processing', 'deleting') then 'queued' else 'waiting' end, 'api', '{}', 0,
       epoch, 0, case when status in ('processing', 'deleting') then 0 end, 0, 0, created_at
     from document`,
    "alter table document drop column attempts",
    "alter table document drop column epoch",
    "alter table document drop column claimed_at",
  ],
};
