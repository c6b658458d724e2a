import type { Statement } from "../storage/db.ts";

/** In the write that publishes: waits for a save in progress, so that the revision cannot change before the end. */
export function lockDraft(workflowId: string): Statement {
  return {
    sql: "select revision from workflow_draft where workflow_id = $workflowId /*for-update*/",
    params: { workflowId },
  };
}

/** Condition on the workflow `$id`: its draft has the revision `$draftRevision`. */
export const HAS_DRAFT_REVISION =
  "exists (select 1 from workflow_draft where workflow_id = $id and revision = $draftRevision and graph is not null)";

/** Removes the published draft, if the workflow was saved with it. */
export function removePublished(workflowId: string, draftRevision: number, updatedAt: number): Statement {
  return {
    sql: `update workflow_draft set graph = null, revision = revision + 1
          where workflow_id = $workflowId and revision = $draftRevision
            and exists (select 1 from workflow where id = $workflowId and updated_at = $updatedAt)`,
    params: { workflowId, draftRevision, updatedAt },
  };
}
