import type {
  Artifact,
  Message,
  Task,
  TaskState as TaskStateValue,
  TaskStatusUpdateEvent,
} from "@a2a-js/sdk";
import type { Party, SessionStatus } from "../../contract/teams.ts";
import { toIso } from "../lib/clock.ts";
import type { MessageRecord, SessionRecord } from "../teams/session-record.ts";
import { textOf } from "../teams/session/transcript.ts";
import { type Question, questionId } from "./a2a-task.sql.ts";
import { emptyMessage, partsOfQuestion, textPart } from "./message-parts.ts";
import type { Sdk } from "./sdk.ts";

/** A task of a team: one exchange of a session, from a message from outside up to the next one that starts another. */
export interface Exchange {
  session: SessionRecord;
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

/** True for the entry that ends the exchange before it. */
export function startsExchange({ outside, continues }: MessageRecord): boolean {
  return outside && continues === undefined;
}

export function isSameParty(a: Party, b: Party): boolean {
  return a.id === b.id && a.type === b.type;
}

export function createExchangeView({ types: { Role, TaskState } }: Sdk, caller: Party) {
  const states: Record<SessionStatus, TaskStateValue> = {
    waiting: TaskState.TASK_STATE_SUBMITTED,
    active: TaskState.TASK_STATE_WORKING,
    completed: TaskState.TASK_STATE_COMPLETED,
    failed: TaskState.TASK_STATE_FAILED,
    cancelled: TaskState.TASK_STATE_CANCELED,
  };

  function answerOf({ entries }: Exchange): MessageRecord | undefined {
    return entries.findLast(({ type, from }) => type === "agent_result" && from.type === "internal");
  }

  /** A closed exchange keeps its state, whatever happens to the session later. */
  function stateOf(exchange: Exchange): TaskStateValue {
    if (!exchange.closed) return states[exchange.session.status];
    const hasFailed = exchange.entries.some(({ type }) => type === "error");
    return hasFailed && answerOf(exchange) === undefined
      ? TaskState.TASK_STATE_FAILED
      : TaskState.TASK_STATE_COMPLETED;
  }

  function toMessage(entry: MessageRecord, taskId: string): Message {
    return {
      ...emptyMessage({
        messageId: entry.id,
        contextId: entry.sessionId,
        taskId,
        role: isSameParty(entry.from, caller) ? Role.ROLE_USER : Role.ROLE_AGENT,
        parts: [textPart(textOf(entry.content))],
      }),
      metadata: { seq: entry.seq, from: entry.from, type: entry.type },
    };
  }

  function artifactsOf(exchange: Exchange): Artifact[] {
    const answer = answerOf(exchange);
    if (answer === undefined || stateOf(exchange) !== TaskState.TASK_STATE_COMPLETED) return [];
    const parts = [textPart(textOf(answer.content))];
    return [
      { artifactId: answer.id, name: "result", description: "", parts, metadata: undefined, extensions: [] },
    ];
  }

  function toTask(exchange: Exchange, question?: Question): Task {
    const { session, entries } = exchange;
    const taskId = taskIdOf(session.id, entries[0]?.seq ?? 1);
    const state = stateOf(exchange);
    const failed =
      state === TaskState.TASK_STATE_FAILED ? entries.findLast(({ type }) => type === "error") : undefined;
    const isAsking = question !== undefined;
    return {
      id: taskId,
      contextId: session.id,
      status: {
        state: isAsking ? TaskState.TASK_STATE_INPUT_REQUIRED : state,
        message: isAsking
          ? emptyMessage({
              messageId: questionId(question),
              contextId: session.id,
              taskId,
              role: Role.ROLE_AGENT,
              parts: partsOfQuestion(question),
            })
          : failed && toMessage(failed, taskId),
        timestamp: toIso(entries.at(-1)?.at ?? session.createdAt),
      },
      artifacts: artifactsOf(exchange),
      history: entries.map((entry) => toMessage(entry, taskId)),
      metadata: undefined,
    };
  }

  return {
    toTask,
    toUpdate(entry: MessageRecord, taskId: string): TaskStatusUpdateEvent {
      const status = {
        state: TaskState.TASK_STATE_WORKING,
        message: toMessage(entry, taskId),
        timestamp: toIso(entry.at),
      };
      return { taskId, contextId: entry.sessionId, status, metadata: undefined };
    },
  };
}
