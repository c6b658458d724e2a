import type { SendMessageRequest, StreamResponse, Task, TaskPushNotificationConfig } from "@a2a-js/sdk";
import type { A2ARequestHandler, ServerCallContext } from "@a2a-js/sdk/server";
import { AppError, quoteId } from "../lib/errors.ts";
import { serialize } from "../lib/serialize-json.ts";
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
  /** The webhooks of this caller's tasks. */
  push: TaskPush;
  /** Lists the call for the owner of the agent. */
  recordCall(method: string, taskId: string | undefined, errorCode?: string): void;
}

/** A page of ListTasks ends early when its artifacts are larger. */
const MAX_PAGE_CHARACTERS = 16 * 1024 * 1024;

/** The webhooks of tasks that the handler has found to be the caller's. */
export interface TaskPush {
  save(task: Task, config: TaskPushNotificationConfig, protocol: string): Promise<TaskPushNotificationConfig>;
  list(taskId: string): Promise<TaskPushNotificationConfig[]>;
  find(taskId: string, configId: string): Promise<TaskPushNotificationConfig | undefined>;
  remove(taskId: string, configId: string): Promise<void>;
}

/** The operations of the protocol on the tasks of one caller, the same for teams and workflows. */
export function createRequestHandler({
  sdk,
  tasks,
  card,
  extendedCard,
  waitMs,
  disconnected,
  push,
  recordCall,
}: RequestHandlerDeps): A2ARequestHandler {
  const { TaskNotFoundError, TaskNotCancelableError, UnsupportedOperationError } = sdk.errors;
  const checks = createRequestChecks(sdk);

  async function deliver(
    method: string,
    request: SendMessageRequest,
    { requestedVersion }: ServerCallContext,
  ): Promise<string> {
    try {
      const taskId = await tasks.deliver(checks.checkMessage(request));
      const config = request.configuration?.taskPushNotificationConfig;
      if (config !== undefined) await push.save(await tasks.read(taskId), config, requestedVersion);
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

  return {
    getAgentCard: card,
    getAuthenticatedExtendedAgentCard: extendedCard,
    async sendMessage(request, context) {
      const taskId = await deliver("SendMessage", request, context);
      const { returnImmediately = false, historyLength } = request.configuration ?? {};
      return withHistory(returnImmediately ? await tasks.read(taskId) : await settled(taskId), historyLength);
    },
    async *sendMessageStream(request, context) {
      const taskId = await deliver("SendStreamingMessage", request, context);
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
      const withArtifacts = request.includeArtifacts === true;
      const found: Task[] = [];
      // One after the other: a page of large results must not fill the memory.
      for (let size = 0; found.length < page.length && size < MAX_PAGE_CHARACTERS;) {
        const task = await tasks.read(page[found.length]!.id, withArtifacts);
        found.push({ ...withHistory(task, request.historyLength), ...(!withArtifacts && { artifacts: [] }) });
        if (withArtifacts) size += (await serialize(task.artifacts)).length;
      }
      return {
        tasks: found,
        nextPageToken: positions.length > found.length ? toPageToken(page[found.length - 1]!) : "",
        pageSize: found.length,
        totalSize: total,
      };
    },
    async createTaskPushNotificationConfig(config, { requestedVersion }) {
      return push.save(await tasks.read(config.taskId), config, requestedVersion);
    },
    async getTaskPushNotificationConfig({ taskId, id }) {
      await tasks.read(taskId);
      const found = await push.find(taskId, id);
      if (found === undefined)
        throw new TaskNotFoundError(
          `Push notification config not found: the task has no webhook ${quoteId(id)}.`,
        );
      return found;
    },
    async listTaskPushNotificationConfigs({ taskId }) {
      await tasks.read(taskId);
      return { configs: await push.list(taskId), nextPageToken: "" };
    },
    async deleteTaskPushNotificationConfig({ taskId, id }) {
      await tasks.read(taskId);
      await push.remove(taskId, id);
    },
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
