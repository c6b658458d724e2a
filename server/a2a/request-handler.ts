import type { SendMessageRequest, StreamResponse, Task } from "@a2a-js/sdk";
import type { A2ARequestHandler } from "@a2a-js/sdk/server";
import { AppError } from "../lib/errors.ts";
import type { AgentTasks } from "./agent-tasks.ts";
import { createRequestChecks, toPageToken } from "./check-request.ts";
import type { Sdk } from "./sdk.ts";
import { isTerminal, isWaiting } from "./task-states.ts";

export interface RequestHandlerDeps {
  sdk: Sdk;
  tasks: AgentTasks;
  card: A2ARequestHandler["getAgentCard"];
  extendedCard: A2ARequestHandler["getAgentCard"];
  /** How long `message:send` waits for the end of the task. */
  waitMs: number;
  /** Aborted when the caller has disconnected. */
  disconnected: AbortSignal;
  /** Lists the call for the owner of the agent. */
  recordCall(method: string, taskId: string | undefined, errorCode?: string): void;
}

/** The operations of the protocol on the tasks of one caller, the same for teams and workflows. */
export function createRequestHandler({
  sdk,
  tasks,
  card,
  extendedCard,
  waitMs,
  disconnected,
  recordCall,
}: RequestHandlerDeps): A2ARequestHandler {
  const { TaskNotCancelableError, UnsupportedOperationError, PushNotificationNotSupportedError } = sdk.errors;
  const checks = createRequestChecks(sdk);

  async function deliver(method: string, request: SendMessageRequest): Promise<string> {
    try {
      const taskId = await tasks.deliver(checks.checkMessage(request));
      recordCall(method, taskId);
      return taskId;
    } catch (error) {
      recordCall(method, undefined, codeOf(error));
      throw error;
    }
  }

  /** Resolves when the task has ended, asks the caller something, or the wait has timed out. */
  async function settled(taskId: string): Promise<Task> {
    const task = await tasks.read(taskId);
    if (isTerminal(task) || isWaiting(task)) return task;
    const stop = AbortSignal.any([disconnected, AbortSignal.timeout(waitMs)]);
    for await (const _ of tasks.follow(task, stop));
    return tasks.read(taskId);
  }

  async function* stream(task: Task): AsyncGenerator<StreamResponse, void, undefined> {
    yield { payload: { $case: "task", value: task } };
    if (!isTerminal(task)) yield* tasks.follow(task, disconnected);
  }

  const noPush = () => Promise.reject(new PushNotificationNotSupportedError());
  return {
    getAgentCard: card,
    getAuthenticatedExtendedAgentCard: extendedCard,
    async sendMessage(request) {
      const taskId = await deliver("SendMessage", request);
      const { returnImmediately = false, historyLength } = request.configuration ?? {};
      return withHistory(returnImmediately ? await tasks.read(taskId) : await settled(taskId), historyLength);
    },
    async *sendMessageStream(request) {
      const taskId = await deliver("SendStreamingMessage", request);
      yield* stream(await tasks.read(taskId));
    },
    async getTask({ id, historyLength }) {
      checks.checkHistoryLength(historyLength);
      return withHistory(await tasks.read(id), historyLength);
    },
    async cancelTask({ id }) {
      if (isTerminal(await tasks.read(id))) throw new TaskNotCancelableError("This task has ended.");
      await tasks.cancel(id);
      recordCall("CancelTask", id);
      return tasks.read(id);
    },
    async *resubscribe({ id }) {
      const task = await tasks.read(id);
      if (isTerminal(task))
        throw new UnsupportedOperationError("This task has ended; get it by its id instead.");
      yield* stream(task);
    },
    async listTasks(request) {
      const query = checks.toQuery(request);
      const { positions, total } = await tasks.list({ ...query, limit: query.limit + 1 });
      const page = positions.slice(0, query.limit);
      const found = await Promise.all(page.map(({ id }) => tasks.read(id)));
      return {
        tasks: found.map((task) => ({
          ...withHistory(task, request.historyLength),
          ...(request.includeArtifacts !== true && { artifacts: [] }),
        })),
        nextPageToken: positions.length > page.length ? toPageToken(page.at(-1)!) : "",
        pageSize: page.length,
        totalSize: total,
      };
    },
    createTaskPushNotificationConfig: noPush,
    getTaskPushNotificationConfig: noPush,
    listTaskPushNotificationConfigs: noPush,
    deleteTaskPushNotificationConfig: noPush,
  };
}

/** `TASK_NOT_FOUND` as `task_not_found`, like the codes of other calls. */
function codeOf(error: unknown): string {
  if (error instanceof AppError) return error.code;
  const { reason } = error as { reason?: unknown };
  return typeof reason === "string" ? reason.toLowerCase() : "internal_error";
}

/** At most this many of the last messages; without a number, all. */
function withHistory(task: Task, historyLength: number | undefined): Task {
  if (historyLength === undefined) return task;
  return { ...task, history: historyLength === 0 ? [] : task.history.slice(-historyLength) };
}
