import type { StreamResponse } from "@a2a-js/sdk";
import type { A2ARequestHandler } from "@a2a-js/sdk/server";
import type { FastifyRequest } from "fastify";
import type { Sdk } from "./sdk.ts";

type Agent = A2ARequestHandler;

export type RestResponse = Record<string, unknown> | AsyncGenerator<StreamResponse>;

export interface RestCall {
  sdk: Sdk;
  agent: Agent;
  context: Parameters<Agent["getTask"]>[1];
  request: FastifyRequest;
}

/** `message:send` and `message:stream`. */
export async function sendByRest({
  sdk: { types, errors },
  agent,
  context,
  request,
}: RestCall): Promise<RestResponse> {
  const { operation = "" } = request.params as { operation?: string };
  const message = types.SendMessageRequest.fromJSON(request.body ?? {});
  if (operation === "message:stream") return agent.sendMessageStream(message, context);
  if (operation !== "message:send")
    throw new errors.UnsupportedOperationError(`There is no operation ${operation.slice(0, 100)}.`);
  const sent = await agent.sendMessage(message, context);
  return "messageId" in sent ? { message: types.Message.toJSON(sent) } : { task: types.Task.toJSON(sent) };
}

/** `tasks/{id}`, `tasks/{id}:cancel` and `tasks/{id}:subscribe`. */
export async function taskByRest({
  sdk: { types, errors },
  agent,
  context,
  request,
}: RestCall): Promise<RestResponse> {
  const { taskId = "" } = request.params as { taskId?: string };
  const [id = "", verb] = taskId.split(":", 2);
  if (verb === "subscribe") return agent.resubscribe({ id, tenant: "" }, context);
  if (verb === "cancel" && request.method === "POST") {
    return types.Task.toJSON(
      await agent.cancelTask({ id, tenant: "", metadata: undefined }, context),
    ) as Record<string, unknown>;
  }
  if (verb !== undefined || request.method !== "GET")
    throw new errors.UnsupportedOperationError("A task has no such operation.");
  const wanted = Number((request.query as Record<string, unknown>)["historyLength"] ?? Number.NaN);
  const historyLength = Number.isInteger(wanted) && wanted >= 0 ? wanted : undefined;
  return types.Task.toJSON(await agent.getTask({ id, tenant: "", historyLength }, context)) as Record<
    string,
    unknown
  >;
}

export async function* encodeEvents({ types }: Sdk, events: AsyncGenerator<StreamResponse>): AsyncGenerator {
  for await (const event of events) yield types.StreamResponse.toJSON(event);
}
