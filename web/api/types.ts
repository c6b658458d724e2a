import type { Edge, Graph, Problem, Step } from "../../contract/graph.ts";
import type { Workflow as WireWorkflow, WorkflowVersion as WireVersion } from "../../contract/workflows.ts";

/** The wire keeps steps and edges loose; what a workflow of the service holds has passed the validator. */
export type Workflow = Omit<WireWorkflow, "metadata"> & { metadata: Graph };
/** Without its graph: enough to choose it, and to publish it. */
export type WorkflowHead = Omit<Workflow, "metadata">;
export type WorkflowVersion = Omit<WireVersion, "metadata"> & { metadata: Graph };
export type { Edge, Graph, Problem, Step };

export type TaskStatus =
  | "queued"
  | "running"
  | "waiting"
  | "waiting_approval"
  | "completed"
  | "failed"
  | "cancelled"
  | "rejected";
export type StepStatus = "completed" | "failed" | "skipped" | "running" | "waiting" | "waiting_approval";

export interface StepResult {
  stepId: string;
  type: string;
  status: StepStatus;
  input: unknown;
  output: unknown;
  error: { code: string; message: string } | null;
  attempts: number;
  startedAt: string | null;
  completedAt: string | null;
  durationMs: number | null;
  dueAt?: string;
  [extra: string]: unknown;
}

export interface TaskSummary {
  id: string;
  workflowId: string;
  workflowVersion: number;
  status: TaskStatus;
  trigger: string;
  error: { code: string; message: string } | null;
  parentTaskId?: string;
  createdAt: string;
  startedAt: string | null;
  completedAt: string | null;
}

export interface Task extends TaskSummary {
  input: unknown;
  result: { output: unknown; outputs: Record<string, unknown> } | null;
  stepResults: StepResult[];
}

export interface Approval {
  taskId: string;
  workflowId: string;
  stepId: string;
  message: string;
  requestedAt: string;
}

export interface Template {
  id: string;
  name: string;
  description: string;
  category: string;
  builtIn: boolean;
  steps: Step[];
  edges: Edge[];
}

export interface VersionHead {
  version: number;
  name: string;
  note: string;
  createdAt: string;
  createdBy: string;
}
