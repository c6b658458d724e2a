import type { EngineStore } from "../../engine/store.ts";
import type { Db } from "../db.ts";
import { createApprovalLinkRows } from "./approval-links.ts";
import { createApprovalStore } from "./approvals.ts";
import { createEventWaitStore } from "./event-waits.ts";
import { createJournalReads } from "./journal-reads.ts";
import { createClaimStore } from "./task-claims.ts";
import { createTaskTreeStore } from "./task-tree.ts";
import { createTaskReads } from "./task-reads.ts";
import { createRecoveryStore } from "./task-recovery.ts";
import { type EventOwners, NO_EVENT_OWNERS } from "./run-events.ts";
import { createRunGroupStore } from "./run-groups.ts";
import { createWriteQueue } from "./write-queue.ts";

/**
 * The engine's own tables: `task`, `journal`, `approval`, `event_wait`, `worker` and `idempotency`. `maxReadBytes` limits the inputs and
 * outputs that are loaded for one response; 0 is no limit.
 */
export function createEngineStore(
  db: Db,
  maxReadBytes = 0,
  eventOwners: EventOwners = NO_EVENT_OWNERS,
): EngineStore {
  return {
    ...createWriteQueue(db, eventOwners),
    ...createTaskReads(db, maxReadBytes || Number.MAX_SAFE_INTEGER),
    ...createJournalReads(db),
    ...createClaimStore(db),
    ...createRecoveryStore(db),
    ...createApprovalStore(db),
    ...createApprovalLinkRows(db),
    ...createEventWaitStore(db),
    ...createRunGroupStore(db, eventOwners),
    ...createTaskTreeStore(db),
  };
}
