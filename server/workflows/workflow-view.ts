import type { Workflow, WorkflowVersion } from "../../contract/workflows.ts";
import { toIso } from "../lib/clock.ts";
import type { VersionRecord, WorkflowRecord, WorkflowSummary } from "./workflow.sql.ts";

export function toWorkflow(record: WorkflowRecord): Workflow {
  return { ...toWorkflowSummary(record), metadata: record.metadata };
}

export function toWorkflowSummary(record: WorkflowSummary): Omit<Workflow, "metadata"> {
  return { ...record, createdAt: toIso(record.createdAt), updatedAt: toIso(record.updatedAt) };
}

export function toVersion(record: VersionRecord): WorkflowVersion {
  return { ...record, createdAt: toIso(record.createdAt) };
}
