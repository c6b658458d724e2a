import type { StreamResponse } from "@a2a-js/sdk";
import type { A2ARequestHandler, ServerCallContext } from "@a2a-js/sdk/server";
import type { Sdk } from "./sdk.ts";

export type RestResponse = Record<string, unknown> | AsyncGenerator;

export interface RestCall {
  sdk: Sdk;
  agent: A2ARequestHandler;
  context: ServerCallContext;
  method: string;
  /** The path below the agent's URL: `["message:send"]`, `["tasks", "<id>:cancel"]` … */
  segments: readonly string[];
  query: Record<string, unknown>;
  body: unknown;
}

/** One operation of the HTTP+JSON binding. */
export async function callByRest(call: RestCall): Promise<RestResponse> {
  const { sdk, agent, context, method, segments, query, body } = call;
  const { types, errors } = sdk;
  const [first = "", second, third, fourth, ...rest] = segments;
  const unknown = () =>
    new errors.UnsupportedOperationError(
      `There is no operation ${method} /${segments.join("/").slice(0, 100)}.`,
    );
  if (rest.length > 0) throw unknown();
  /** A field of the wrong type makes the SDK's decoder throw. */
  const decode = <T>(type: { fromJSON(json: unknown): T }, json: unknown): T => {
    try {
      return type.fromJSON(json);
    } catch {
      throw new errors.RequestMalformedError("The request has a field of the wrong type");
    }
  };

  if (first === "extendedAgentCard" && method === "GET" && second === undefined)
    return toJson(types.AgentCard, await agent.getAuthenticatedExtendedAgentCard({ tenant: "" }, context));
  if (method === "POST" && second === undefined && first.startsWith("message:")) {
    const request = decode(types.SendMessageRequest, body ?? {});
    if (first === "message:stream") return encodeEvents(sdk, agent.sendMessageStream(request, context));
    if (first !== "message:send") throw unknown();
    const sent = await agent.sendMessage(request, context);
    return "messageId" in sent ? { message: types.Message.toJSON(sent) } : { task: types.Task.toJSON(sent) };
  }
  if (first !== "tasks") throw unknown();
  if (second === undefined) {
    if (method !== "GET") throw unknown();
    return listTasks();
  }

  const [id = "", verb] = second.split(":", 2);
  if (third === "pushNotificationConfigs") return pushConfigs(id, fourth);
  if (third !== undefined) throw unknown();
  if (verb === "subscribe") return encodeEvents(sdk, agent.resubscribe({ id, tenant: "" }, context));
  if (verb === "cancel" && method === "POST")
    return toJson(types.Task, await agent.cancelTask({ id, tenant: "", metadata: undefined }, context));
  if (verb !== undefined || method !== "GET") throw unknown();
  const historyLength = numberOf(query["historyLength"]);
  return toJson(types.Task, await agent.getTask({ id, tenant: "", historyLength }, context));

  async function listTasks(): Promise<RestResponse> {
    const { pageSize, historyLength: length, includeArtifacts, ...others } = query;
    const request = decode(types.ListTasksRequest, {
      ...others,
      ...(includeArtifacts !== undefined && { includeArtifacts: includeArtifacts === "true" }),
    });
    const listed = await agent.listTasks(
      { ...request, pageSize: numberOf(pageSize), historyLength: numberOf(length) },
      context,
    );
    const { tasks: found = [] } = types.ListTasksResponse.toJSON(listed) as { tasks?: object[] };
    return {
      tasks: request.includeArtifacts === true ? found.map((task) => ({ artifacts: [], ...task })) : found,
      nextPageToken: listed.nextPageToken,
      pageSize: listed.pageSize,
      totalSize: listed.totalSize,
    };
  }

  async function pushConfigs(taskId: string, configId: string | undefined): Promise<RestResponse> {
    const { TaskPushNotificationConfig: Config, ListTaskPushNotificationConfigsResponse: List } = types;
    if (configId === undefined && method === "POST") {
      const config = { ...decode(Config, body ?? {}), taskId };
      return toJson(Config, await agent.createTaskPushNotificationConfig(config, context));
    }
    if (configId === undefined && method === "GET") {
      const request = {
        taskId,
        tenant: "",
        pageSize: numberOf(query["pageSize"]) ?? 0,
        pageToken: String(query["pageToken"] ?? ""),
      };
      return { configs: [], ...toJson(List, await agent.listTaskPushNotificationConfigs(request, context)) };
    }
    if (configId === undefined) throw unknown();
    if (method === "GET")
      return toJson(
        Config,
        await agent.getTaskPushNotificationConfig({ taskId, id: configId, tenant: "" }, context),
      );
    if (method !== "DELETE") throw unknown();
    await agent.deleteTaskPushNotificationConfig({ taskId, id: configId, tenant: "" }, context);
    return {};
  }
}

/** NaN for a text that is not a number: the check of the request rejects it. */
function numberOf(value: unknown): number | undefined {
  return value === undefined ? undefined : value === "" ? Number.NaN : Number(value);
}

function toJson<T>(type: { toJSON(value: T): unknown }, value: T): Record<string, unknown> {
  return type.toJSON(value) as Record<string, unknown>;
}

async function* encodeEvents({ types }: Sdk, events: AsyncGenerator<StreamResponse>): AsyncGenerator {
  for await (const event of events) yield types.StreamResponse.toJSON(event);
}
