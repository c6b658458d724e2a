import { AppError } from "../lib/errors.ts";
import { serializeInTurns } from "../lib/serialize-json.ts";
import type { DraftRecord } from "./draft.sql.ts";
import type { VersionRecord } from "./version.sql.ts";
import type { WorkflowRecord } from "./workflow-rows.sql.ts";

export type NewDraft = Pick<DraftRecord, "description" | "metadata">;

export function toVersionRecord(workflow: WorkflowRecord, note: string, createdBy: string): VersionRecord {
  const { id, version, name, description, metadata, updatedAt } = workflow;
  return { workflowId: id, version, name, description, metadata, note, createdAt: updatedAt, createdBy };
}

/** The draft that is stored together with a new workflow. */
export function firstRevision(live: WorkflowRecord, draft: NewDraft, authorId: string): DraftRecord {
  return {
    workflowId: live.id,
    baseVersion: live.version,
    name: live.name,
    description: draft.description,
    metadata: draft.metadata,
    revision: 1,
    updatedAt: live.updatedAt,
    updatedBy: authorId,
  };
}

export async function sameContent(a: WorkflowRecord, b: WorkflowRecord): Promise<boolean> {
  if (a.name !== b.name || a.description !== b.description) return false;
  return (await serializeInTurns(a.metadata)) === (await serializeInTurns(b.metadata));
}

export function versionConflict(currentVersion: number): AppError {
  return new AppError(
    "version_conflict",
    "The workflow was changed after the version that this save is based on. Load it again and repeat the change.",
    { details: { currentVersion } },
  );
}
