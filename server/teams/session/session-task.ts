import type { Usage } from "../../../contract/agents.ts";
import type { SessionResult, SessionStatus } from "../../../contract/teams.ts";
import type { RunnableWorkflow } from "../../engine/engine-api.ts";

/** The lane of the tasks that run sessions. Such a task has the id of its session and is not shown as a task. */
export const SESSION_LANE = "session";
/** The graph of every such task. */
export const sessionWorkflow: RunnableWorkflow = {
  id: "session",
  ownerId: "",
  name: "Session",
  version: 1,
  graph: { steps: [{ stepId: "session", type: "session" }], edges: [] },
};

/** The claim of this process on a session's task, valid until another claim raises the epoch. */
export interface SessionTask {
  id: string;
  ownerId: string;
  epoch: number;
}

/** The session's row, as far as the next action depends on it. */
export interface SessionState {
  teamId: string;
  status: SessionStatus;
  /** Raised by every message from outside. */
  wake: number;
  usage: Usage;
  turns: number;
  createdAt: number;
}

export interface SessionOutcome {
  status: "completed" | "failed";
  result: SessionResult | null;
  error: { code: string; message: string } | null;
}
