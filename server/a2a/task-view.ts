import type {
  Artifact,
  Message,
  Part,
  Task,
  TaskState as TaskStateValue,
  TaskStatusUpdateEvent,
} from "@a2a-js/sdk";
import type { SessionStatus } from "../../contract/teams.ts";
import { toIso } from "../lib/clock.ts";
import type { MessageRecord, SessionRecord } from "../teams/session-record.ts";
import { textOf } from "../teams/session/transcript.ts";
import type { Sdk } from "./sdk.ts";

/** An A2A task: one exchange of a session, from a message from outside up to the next one. */
export interface Exchange {
  session: SessionRecord;
  /** The message that starts it and all entries up to the next message from outside. */
  entries: MessageRecord[];
  /** A later message from outside has started another exchange. */
  closed: boolean;
}

export function taskIdOf(sessionId: string, seq: number): string {
  return `${sessionId}.${seq}`;
}

export function parseTaskId(taskId: string): { sessionId: string; seq: number } | undefined {
  const match = /^(sess_[0-9a-z]+)\.([1-9]\d{0,9})$/.exec(taskId);
  return match === null ? undefined : { sessionId: match[1]!, seq: Number(match[2]) };
}

export function createTaskView({ types: { Role, TaskState } }: Sdk, agentName: string) {
  const states: Record<SessionStatus, TaskStateValue> = {
    waiting: TaskState.TASK_STATE_SUBMITTED,
    active: TaskState.TASK_STATE_WORKING,
    completed: TaskState.TASK_STATE_COMPLETED,
    failed: TaskState.TASK_STATE_FAILED,
    cancelled: TaskState.TASK_STATE_CANCELED,
  };

  function stateOf({ session, closed }: Exchange): TaskStateValue {
    return closed && session.status !== "cancelled" ? TaskState.TASK_STATE_COMPLETED : states[session.status];
  }

  function toMessage(entry: MessageRecord, taskId: string): Message {
    const own = entry.from.type === "external" && entry.from.id === agentName;
    return {
      messageId: entry.id,
      contextId: entry.sessionId,
      taskId,
      role: own ? Role.ROLE_USER : Role.ROLE_AGENT,
      parts: [textPart(textOf(entry.content))],
      metadata: { seq: entry.seq, from: entry.from, type: entry.type },
      extensions: [],
      referenceTaskIds: [],
    };
  }

  function artifactsOf(exchange: Exchange): Artifact[] {
    const answer = exchange.entries.findLast(
      ({ type, from }) => type === "agent_result" && from.type === "internal",
    );
    if (answer === undefined || stateOf(exchange) !== TaskState.TASK_STATE_COMPLETED) return [];
    const parts = [textPart(textOf(answer.content))];
    return [
      { artifactId: answer.id, name: "result", description: "", parts, metadata: undefined, extensions: [] },
    ];
  }

  function toTask(exchange: Exchange, historyLength: number | undefined): Task {
    const { session, entries } = exchange;
    const taskId = taskIdOf(session.id, entries[0]?.seq ?? 1);
    const history = entries.map((entry) => toMessage(entry, taskId));
    const last = entries.at(-1);
    const failed =
      session.status === "failed" && !exchange.closed
        ? entries.findLast(({ type }) => type === "error")
        : undefined;
    return {
      id: taskId,
      contextId: session.id,
      status: {
        state: stateOf(exchange),
        message: failed === undefined ? undefined : toMessage(failed, taskId),
        timestamp: toIso(last?.at ?? session.createdAt),
      },
      artifacts: artifactsOf(exchange),
      history:
        historyLength === undefined ? history : historyLength === 0 ? [] : history.slice(-historyLength),
      metadata: undefined,
    };
  }

  return {
    toTask,
    artifactsOf,
    isOver: (exchange: Exchange) =>
      ![TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_WORKING].includes(stateOf(exchange)),
    toUpdate(entry: MessageRecord, taskId: string): TaskStatusUpdateEvent {
      const status = {
        state: TaskState.TASK_STATE_WORKING,
        message: toMessage(entry, taskId),
        timestamp: toIso(entry.at),
      };
      return { taskId, contextId: entry.sessionId, status, metadata: undefined };
    },
    toLastUpdate(exchange: Exchange): TaskStatusUpdateEvent {
      const { id, contextId, status } = toTask(exchange, 0);
      return { taskId: id, contextId, status, metadata: undefined };
    },
  };
}

function textPart(value: string): Part {
  return { content: { $case: "text", value }, metadata: undefined, filename: "", mediaType: "text/plain" };
}
