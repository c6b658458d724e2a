import type { ApiSettings, ApiSettingsInput, Workflow, WorkflowVersion } from "../../contract/workflows.ts";
import { toIso } from "../lib/clock.ts";

export interface LooseGraph {
  steps: unknown[];
  edges: unknown[];
}

export interface WorkflowRecord {
  id: string;
  ownerId: string;
  name: string;
  description: string;
  version: number;
  metadata: LooseGraph;
  apiSettings: ApiSettings;
  createdAt: number;
  updatedAt: number;
}

/** Everything but the graph, which is nearly all there is of a large one. */
export type WorkflowHead = Omit<WorkflowRecord, "metadata">;

/** A version as it was: who made it, when, why, and everything that is versioned. */
export interface VersionRecord {
  workflowId: string;
  version: number;
  name: string;
  description: string;
  metadata: LooseGraph;
  note: string;
  createdAt: number;
  createdBy: string;
}

export type VersionHead = Omit<VersionRecord, "metadata" | "description" | "workflowId">;

export const NO_ENDPOINT: ApiSettings = {
  enabled: false,
  endpointName: null,
  authentication: true,
  sync: true,
};

/** Only what was sent changes; `null` clears. */
export function mergeApiSettings(current: ApiSettings, change: ApiSettingsInput = {}): ApiSettings {
  const responseStepId =
    change.responseStepId === undefined ? current.responseStepId : (change.responseStepId ?? undefined);
  return {
    enabled: change.enabled ?? current.enabled,
    endpointName: change.endpointName === undefined ? current.endpointName : change.endpointName,
    authentication: change.authentication ?? current.authentication,
    sync: change.sync ?? current.sync,
    ...(responseStepId === undefined ? {} : { responseStepId }),
  };
}

export function toWorkflow(record: WorkflowRecord): Workflow {
  return { ...toWorkflowHead(record), metadata: record.metadata };
}

export function toWorkflowHead(record: WorkflowHead): Omit<Workflow, "metadata"> {
  return { ...record, createdAt: toIso(record.createdAt), updatedAt: toIso(record.updatedAt) };
}

export function toVersion(record: VersionRecord): WorkflowVersion {
  return { ...record, createdAt: toIso(record.createdAt) };
}
