import type { Artifact, Message, Part, Task, TaskState as TaskStateValue } from "@a2a-js/sdk";
import type { TaskStatus } from "../../contract/tasks.ts";
import { toIso } from "../lib/clock.ts";
import { isFinal, type Task as BatonTask } from "../engine/tasks/task.ts";
import { type A2aMessageRecord, type Question, questionId } from "./a2a-task.sql.ts";
import { dataPart, emptyMessage, partsOfQuestion, textPart } from "./message-parts.ts";
import type { Sdk } from "./sdk.ts";

export interface WorkflowRun {
  task: Pick<BatonTask, "id" | "status" | "result" | "error" | "createdAt" | "startedAt" | "completedAt">;
  contextId: string;
  messages: readonly A2aMessageRecord[];
  /** The open approval. */
  question: Question | undefined;
}

/** A task of a workflow as a task of the protocol, under the same id. */
export function createWorkflowView({ types: { Role, TaskState, Part: PartType } }: Sdk) {
  const states: Record<TaskStatus, TaskStateValue> = {
    queued: TaskState.TASK_STATE_SUBMITTED,
    running: TaskState.TASK_STATE_WORKING,
    waiting: TaskState.TASK_STATE_WORKING,
    waiting_approval: TaskState.TASK_STATE_INPUT_REQUIRED,
    completed: TaskState.TASK_STATE_COMPLETED,
    failed: TaskState.TASK_STATE_FAILED,
    cancelled: TaskState.TASK_STATE_CANCELED,
    rejected: TaskState.TASK_STATE_REJECTED,
  };

  /** An open question counts before the task is parked; a decided one before the task continues. */
  function stateOf({ task, question }: WorkflowRun): TaskStateValue {
    if (isFinal(task.status)) return states[task.status];
    if (question !== undefined) return TaskState.TASK_STATE_INPUT_REQUIRED;
    return task.status === "waiting_approval" ? TaskState.TASK_STATE_WORKING : states[task.status];
  }

  function messageOf(run: WorkflowRun): Message | undefined {
    const { task, contextId, question } = run;
    const say = (messageId: string, parts: Part[]) =>
      emptyMessage({ messageId, contextId, taskId: task.id, role: Role.ROLE_AGENT, parts });
    if (question !== undefined && !isFinal(task.status))
      return say(questionId(question), partsOfQuestion(question));
    if (task.status === "rejected") return say(`${task.id}.rejected`, [textPart("Rejected by a person.")]);
    if (task.status !== "failed" || task.error === null) return undefined;
    const { code, message, stepId } = task.error;
    return {
      ...say(`${task.id}.error`, [textPart(message)]),
      metadata: { code, ...(stepId !== undefined && { stepId }) },
    };
  }

  return {
    states,
    toTask(run: WorkflowRun): Task {
      const { task, contextId, messages, question } = run;
      return {
        id: task.id,
        contextId,
        status: {
          state: stateOf(run),
          message: messageOf(run),
          timestamp: toIso(task.completedAt ?? question?.requestedAt ?? task.startedAt ?? task.createdAt),
        },
        artifacts: artifactsOf(task),
        history: messages.map(({ role, messageId, parts }) =>
          emptyMessage({
            messageId,
            contextId,
            taskId: task.id,
            role: role === "user" ? Role.ROLE_USER : Role.ROLE_AGENT,
            parts: parts.map((part) => PartType.fromJSON(part)),
          }),
        ),
        metadata: undefined,
      };
    },
  };
}

function artifactsOf({ status, result }: WorkflowRun["task"]): Artifact[] {
  if (status !== "completed" || result === null) return [];
  const value = result.output ?? (Object.keys(result.outputs).length === 0 ? null : result.outputs);
  const part = typeof value === "string" ? textPart(value) : dataPart(value);
  return [
    {
      artifactId: "result",
      name: "result",
      description: "",
      parts: [part],
      metadata: undefined,
      extensions: [],
    },
  ];
}
