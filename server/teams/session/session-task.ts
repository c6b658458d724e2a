import type { Usage } from "../../../contract/agents.ts";
import type { SessionResult, SessionStatus } from "../../../contract/teams.ts";
import type { RunnableWorkflow } from "../../engine/engine-api.ts";
import type { Appended, MessageHead, MessageRecord, NewMessage } from "../session-record.ts";

/** The lane of the tasks that drive sessions. Such a task has its session's id, and nobody sees it as a task. */
export const SESSION_LANE = "session";
/** The graph that all of them run. */
export const sessionWorkflow: RunnableWorkflow = {
  id: "session",
  ownerId: "",
  name: "Session",
  version: 1,
  graph: { steps: [{ stepId: "session", type: "session" }], edges: [] },
};

/** A session that this process drives, until another claim of its task raises the epoch. */
export interface SessionTask {
  id: string;
  ownerId: string;
  epoch: number;
}

/** Where a session stands beside its log. */
export interface SessionState {
  teamId: string;
  status: SessionStatus;
  /** Raised by everything that is said from outside. */
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

/** What the engine's step writes. Every write is refused (undefined, false) when the task's epoch has moved on. */
export interface SessionTaskStore {
  state(session: SessionTask): Promise<SessionState | undefined>;
  heads(sessionId: string, after: number): Promise<MessageHead[]>;
  log(sessionId: string, after: number, limit: number): Promise<MessageRecord[]>;
  /** One that waited for somebody to join goes on without; false when somebody has joined meanwhile. */
  begin(session: SessionTask, now: number): Promise<boolean>;
  /** One turn: all of its messages or none. The same ones again are a success. */
  record(
    session: SessionTask,
    messages: readonly NewMessage[],
    usage: Usage,
    now: number,
  ): Promise<Appended | undefined>;
  /** Undefined also when something was said since `seenWake`: then look again. */
  finish(
    session: SessionTask,
    seenWake: number,
    ending: SessionOutcome,
    messages: readonly NewMessage[],
    now: number,
  ): Promise<Appended | undefined>;
  /** For a reason that the log does not have; returns whose session it was unless it had ended before. */
  fail(
    session: SessionTask,
    error: { code: string; message: string },
    now: number,
  ): Promise<{ teamId: string } | undefined>;
}
