import type { JsonValue } from "../../contract/placeholders/json-value.ts";

/** A run as MCP sees it: a task of a workflow or an agent, or a session of a team. */
export interface Run {
  /** The same id in every API. */
  id: string;
  status: "working" | "waiting_approval" | "completed" | "failed" | "cancelled";
  output: JsonValue;
  error: { code: string; message: string } | null;
  createdAt: number;
  updatedAt: number;
}

export interface RunProgress {
  /** Increases with every notification. */
  progress: number;
  total?: number;
  message: string;
}

/** A question of a run that a person has to answer. */
export interface OpenApproval {
  /** Names this question; a later one at the same step has another key. */
  key: string;
  stepId: string;
  message: string;
  context: string | null;
  /** Only other people may answer it. */
  forOthers?: boolean;
}

export interface ApprovalAnswer {
  key: string;
  decision: "approve" | "reject";
  comment: string | null;
  decidedBy: string;
  /** The person who answers, where one is known. */
  userId?: string | undefined;
}

/** Runs of one kind. Every function throws `task_not_found` for a run of another owner, or one that was not started over MCP. */
export interface Runs {
  read(ownerId: string, id: string): Promise<Run>;
  /** Resolves when the run has ended or waits for an approval, or when the signal is aborted. */
  settled(ownerId: string, id: string, signal: AbortSignal): Promise<Run>;
  /** Reports progress from the beginning of the run. */
  watch(id: string, onProgress?: (progress: RunProgress) => void): RunWatch;
  /** No error when the run has already ended. */
  cancel(ownerId: string, id: string): Promise<void>;
  /** All open ones. Without a person, those with approvers are for others. */
  approvals(ownerId: string, id: string, userId?: string): Promise<OpenApproval[]>;
  /** False when the approval is no longer open. */
  decide(ownerId: string, id: string, answer: ApprovalAnswer): Promise<boolean>;
}

export interface RunWatch {
  /** Resolves at the next change, or when the signal is aborted. */
  changed(signal: AbortSignal): Promise<void>;
  /** Resolves when the progress until now has been reported. */
  caughtUp(): Promise<void>;
  close(): void;
}

export function hasEnded({ status }: Run): boolean {
  return status !== "working" && status !== "waiting_approval";
}
