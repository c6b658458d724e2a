import { agentRunWorkflow } from "../agents/agent-run.ts";
import type { LiveAnswers } from "../agents/live-answers.ts";
import type { Engine, TaskWithSteps } from "../engine/engine-api.ts";
import type { Task } from "../engine/tasks/task.ts";
import { sumSpent } from "../engine/tasks/token-usage.ts";
import { AppError } from "../lib/errors.ts";
import type { Tasks } from "../tasks/tasks.ts";
import { toAnswerText } from "./answer-text.ts";
import type { ChatAnswer, ChatRun, ChatStart } from "./chat-run.ts";
import { toUsage } from "./completion.ts";
import { toWorkflowInput } from "./workflow-input.ts";

export interface TaskRunDeps {
  engine: Pick<Engine, "start" | "settled">;
  tasks: Pick<Tasks, "listApprovals">;
  liveAnswers: LiveAnswers;
  /** The page of a run, for the people who may decide its approvals. */
  runUrl(taskId: string): string;
}

/** Answers by a task: the result of a workflow, or the answer of an agent. */
export function createTaskRuns({ engine, tasks, liveAnswers, runUrl }: TaskRunDeps) {
  async function start({ record, prompt, idempotency, onText }: ChatStart): Promise<ChatRun> {
    const { ownerId } = record;
    const live = record.kind === "agent" && onText !== undefined ? liveAnswers.open(onText) : undefined;
    const work =
      record.workflow === undefined
        ? {
            workflow: { ...agentRunWorkflow, ownerId },
            input: {
              agentId: record.recordId,
              message: prompt.message,
              messages: conversationOf(prompt),
              ...(prompt.system !== "" && { instructions: prompt.system }),
              ...(live !== undefined && { live: live.key }),
            },
          }
        : { workflow: record.workflow, input: toWorkflowInput(record.inputSchema, prompt) };
    try {
      const { taskId } = await engine.start({ ...work, trigger: "chat", idempotency });
      return {
        id: taskId,
        async answer(timeoutMs, signal) {
          try {
            return await toAnswer(ownerId, await engine.settled(taskId, timeoutMs, { signal }));
          } finally {
            live?.close();
          }
        },
      };
    } catch (error) {
      live?.close();
      throw error;
    }
  }

  async function toAnswer(ownerId: string, { task, stepResults }: TaskWithSteps): Promise<ChatAnswer> {
    const usage = toUsage(sumSpent(stepResults).usage);
    if (task.status === "completed") return { text: await toAnswerText(task.result?.output ?? null), usage };
    if (task.status === "waiting_approval") return { text: await approvalText(ownerId, task.id), usage };
    throw failureOf(task);
  }

  /** No link that decides: the caller of a model is not the person who may approve. */
  async function approvalText(ownerId: string, taskId: string): Promise<string> {
    const { items } = await tasks.listApprovals(ownerId, { taskId, limit: 1 });
    const question = items[0]?.message ?? "";
    return `This run waits for an approval${question === "" ? "." : `: ${question}`}\n\nApprove or reject it at ${runUrl(taskId)}. The result will be there.`;
  }

  return { start };
}

/** The messages of user and assistant; an agent has its own tools, so results of the client's tools mean nothing to it. */
function conversationOf({ messages }: ChatStart["prompt"]) {
  const said = messages.filter(
    ({ role, content }) => (role === "user" || role === "assistant") && content !== "",
  );
  // Vendors require the first and the last message to be the user's.
  const [first, last] = [
    said.findIndex(({ role }) => role === "user"),
    said.findLastIndex(({ role }) => role === "user"),
  ];
  return said.slice(first, last + 1).map(({ role, content }) => ({ role, content }));
}

function failureOf({ id, status, error }: Task): AppError {
  const details = { taskId: id, status };
  switch (status) {
    case "failed":
      return new AppError("execution_failed", error?.message ?? "The run failed.", { details });
    case "cancelled":
      return new AppError("execution_failed", "The run was cancelled.", { details });
    case "rejected":
      return new AppError("execution_failed", "The run was rejected at an approval.", { details });
    default:
      return new AppError(
        "execution_timeout",
        `The run did not end within the time limit of this call. It continues as ${id}. Stream the answer of long runs.`,
        { details },
      );
  }
}
