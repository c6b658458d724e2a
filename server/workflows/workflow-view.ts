import type { WorkflowDraft } from "../../contract/drafts.ts";
import type { Workflow, WorkflowVersion } from "../../contract/workflows.ts";
import { toIso } from "../lib/clock.ts";
import type { DraftRecord } from "./draft.sql.ts";
import type { WorkflowRecord, WorkflowSummary } from "./workflow-rows.sql.ts";
import type { VersionRecord } from "./version.sql.ts";
import type { SavedWorkflow } from "./workflows.ts";

export function toWorkflow(record: WorkflowRecord): Workflow {
  const { metadata } = record;
  // A record that was just saved has `published` of the version before.
  const { published: _, ...summary } = toWorkflowSummary(record);
  return { ...summary, ...(metadata.steps.length === 0 && { published: false as const }), metadata };
}

export function toSavedResponse({ workflow, warnings }: SavedWorkflow) {
  return { ok: true as const, workflow: toWorkflow(workflow), warnings };
}

export function toWorkflowSummary(record: WorkflowSummary): Omit<Workflow, "metadata"> {
  const { draft, createdAt, updatedAt, ...workflow } = record;
  return {
    ...workflow,
    createdAt: toIso(createdAt),
    updatedAt: toIso(updatedAt),
    ...(draft === undefined
      ? {}
      : {
          draft: {
            revision: draft.revision,
            baseVersion: draft.baseVersion,
            updatedAt: toIso(draft.updatedAt),
          },
        }),
  };
}

export function toVersion(record: VersionRecord): WorkflowVersion {
  return { ...record, createdAt: toIso(record.createdAt) };
}

export function toDraft(record: DraftRecord): WorkflowDraft {
  return { ...record, updatedAt: toIso(record.updatedAt) };
}
