import type { PageQuery } from "../../contract/api.ts";
import type { Page } from "../lib/page.ts";
import type { VersionHead, VersionRecord, WorkflowHead, WorkflowRecord } from "./workflow-record.ts";

export type SaveOutcome = "stored" | "slug_taken" | "outdated";

/** Everything asks for the owner in the query itself: a record of somebody else's is never even loaded. */
export interface WorkflowStore {
  insert(workflow: WorkflowRecord, history: VersionRecord[]): Promise<SaveOutcome>;
  /** Throws `workflow_not_found` or `forbidden`. */
  owned(id: string, ownerId: string): Promise<WorkflowRecord>;
  list(ownerId: string, page: PageQuery): Promise<Page<WorkflowRecord>>;
  heads(ownerId: string, page: PageQuery): Promise<Page<WorkflowHead>>;
  /**
   * Stores on top of the state of `expectedUpdatedAt` only, else `outdated`: settings change without a version,
   * so the version alone would not tell. `version` is the new history entry, if there is one.
   */
  update(
    workflow: WorkflowRecord,
    expectedUpdatedAt: number,
    version: VersionRecord | undefined,
  ): Promise<SaveOutcome>;
  remove(id: string, ownerId: string, now: number): Promise<void>;
  versions(workflowId: string, page: PageQuery): Promise<Page<VersionHead>>;
  /** Those whose graphs fit into so many characters together, oldest first. */
  newestVersions(workflowId: string, maxCharacters: number): Promise<VersionRecord[]>;
  version(workflowId: string, version: number): Promise<VersionRecord | undefined>;
}
