import type { FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import { sendResult } from "../http/replies.ts";
import type { HttpServer } from "../http/server.ts";
import { INTERNAL_ERROR, withProtocolErrors } from "./a2a-errors.ts";
import { callByRest, type RestResponse } from "./a2a-rest.ts";
import { AGENT_PARAMS as params, type BindingRoutes, MALFORMED } from "./binding-routes.ts";
import { loadSdk, type Sdk } from "./sdk.ts";
import { sendEvents } from "./send-events.ts";

const MEDIA_TYPE = "application/a2a+json";

const taskParams = params.extend({
  taskId: z.string().describe("The id of a task, optionally followed by :cancel or :subscribe"),
});

/** HTTP+JSON below the address of the agent. */
export function restRoutes(
  app: HttpServer,
  { authenticated, described, handlerFor, contextOf, parsedBody }: BindingRoutes,
): void {
  /** One operation of the HTTP+JSON binding. */
  async function byRest(request: FastifyRequest, reply: FastifyReply): Promise<never> {
    const sdk = await loadSdk();
    const fail = (error: unknown) => restErrorOf(sdk, error);
    const send = (status: number, body: object): Promise<FastifyReply> =>
      sendResult(reply, body, { status, type: MEDIA_TYPE });
    try {
      const context = contextOf(request, sdk, "HTTP+JSON");
      const body = await parsedBody(request);
      if (body === MALFORMED) throw new sdk.errors.RequestMalformedError("The body is not valid JSON");
      const response: RestResponse = await callByRest({
        sdk,
        agent: withProtocolErrors(sdk, handlerFor(request, reply, sdk)),
        context,
        method: request.method,
        segments: segmentsOf(request),
        query: request.query as Record<string, unknown>,
        body,
      });
      await (Symbol.asyncIterator in response ? sendEvents(reply, response, fail) : send(200, response));
    } catch (error) {
      if (!(error instanceof sdk.errors.A2AError)) throw error;
      await send(sdk.errors.restStatusFor(error), fail(error));
    }
    return reply as never;
  }

  const rest = (
    method: "GET" | "POST" | "DELETE",
    path: string,
    documented: { operationId: string; summary: string; description: string; params?: z.ZodObject },
  ) =>
    app.route({
      method,
      url: `/a2a/:agentId/${path}`,
      ...authenticated("HTTP+JSON"),
      schema: {
        ...described,
        ...documented,
        // `message:stream` and `:subscribe` send events.
        produces: method === "POST" ? [MEDIA_TYPE, "text/event-stream"] : [MEDIA_TYPE],
        ...(method === "POST" && { body: z.unknown() }),
      },
      handler: (request, reply) => byRest(request as FastifyRequest, reply as unknown as FastifyReply),
    });

  rest("POST", ":operation", {
    operationId: "sendAgentMessage",
    summary: "Send a message to an agent",
    description:
      "`message:send` waits for the end of the task, `message:stream` sends its events. Requires the header `A2A-Version: 1.0`.",
    params: params.extend({ operation: z.enum(["message:send", "message:stream"]).or(z.string()) }),
  });
  rest("GET", "tasks", {
    operationId: "listAgentTasks",
    summary: "List the caller's tasks at an agent",
    description:
      "Most recently changed first. Filters: `contextId`, `status`, `statusTimestampAfter`; `pageSize` (1–100), `pageToken`, `historyLength`, `includeArtifacts`.",
  });
  rest("GET", "tasks/:taskId", {
    operationId: "getAgentTask",
    summary: "Get or follow a task of an agent",
    description: "With `:subscribe` after the id, server-sent events up to the end of the task.",
    params: taskParams,
  });
  rest("POST", "tasks/:taskId", {
    operationId: "cancelAgentTask",
    summary: "Cancel or follow a task of an agent",
    description: "`:cancel` or `:subscribe` after the id.",
    params: taskParams,
  });
  rest("GET", "extendedAgentCard", {
    operationId: "getExtendedAgentCard",
    summary: "Get the extended card of an agent",
    description: "For authenticated callers: the card with details that the public one does not have.",
  });
  const configs = "tasks/:taskId/pushNotificationConfigs";
  rest("POST", configs, {
    operationId: "createAgentPushConfig",
    summary: "Register a webhook for a task of an agent",
    description: "The webhook receives the events of the task until its end.",
    params: taskParams,
  });
  rest("GET", configs, {
    operationId: "listAgentPushConfigs",
    summary: "List the webhooks of a task of an agent",
    description: "Without their credentials.",
    params: taskParams,
  });
  const configParams = taskParams.extend({ configId: z.string() });
  rest("GET", `${configs}/:configId`, {
    operationId: "getAgentPushConfig",
    summary: "Get a webhook of a task of an agent",
    description: "Without its credentials.",
    params: configParams,
  });
  rest("DELETE", `${configs}/:configId`, {
    operationId: "deleteAgentPushConfig",
    summary: "Delete a webhook of a task of an agent",
    description: "A second deletion changes nothing.",
    params: configParams,
  });
}

function restErrorOf({ errors }: Sdk, error: unknown): object {
  const status = errors.restStatusFor(error);
  return error instanceof errors.A2AError
    ? errors.toRestErrorBody(error, status)
    : { error: { code: 500, status: "INTERNAL", message: INTERNAL_ERROR.message, details: [] } };
}

/** Below `/a2a/:agentId/`. */
function segmentsOf(request: FastifyRequest): string[] {
  const [path = ""] = request.url.split("?", 1);
  return path.split("/").slice(3).map(decodeURIComponent);
}
