import type { FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import { sendResult } from "../http/replies.ts";
import type { HttpServer } from "../http/server.ts";
import { INTERNAL_ERROR, type JsonRpcError, PARSE_ERROR } from "./a2a-errors.ts";
import { type BindingRoutes, MALFORMED } from "./binding-routes.ts";
import { callByRpc, isStreaming, readRpcRequest, rpcFailure } from "./json-rpc.ts";
import { loadSdk, type Sdk } from "./sdk.ts";
import { sendEvents } from "./send-events.ts";

/** JSON-RPC at the address of the agent. */
export function rpcRoutes(
  app: HttpServer,
  { authenticated, described, handlerFor, contextOf, parsedBody }: BindingRoutes,
): void {
  for (const url of ["/a2a/:agentId", "/a2a/:agentId/"])
    app.post(
      url,
      {
        ...authenticated("JSONRPC"),
        schema: {
          ...described,
          hide: url.endsWith("/"),
          operationId: url.endsWith("/") ? "callAgentWithSlash" : "callAgent",
          summary: "Call an agent over JSON-RPC",
          description:
            "The methods of A2A 1.0 (`SendMessage`, `GetTask`, `ListTasks` …) with the header `A2A-Version: 1.0`; without it, those of 0.3 (`message/send`, `tasks/get` …). Streaming methods answer with server-sent events.",
          body: z.unknown(),
        },
      },
      async (request, reply) => {
        const sdk = await loadSdk();
        const send = (response: object) => sendResult(reply as unknown as FastifyReply, response);
        const body = await parsedBody(request);
        if (body === MALFORMED) return await send(rpcFailure(null, PARSE_ERROR));
        const read = readRpcRequest(body);
        if ("error" in read) return await send(rpcFailure(read.id, read.error));
        const fail = (error: unknown) => rpcFailure(read.id, rpcErrorOf(sdk, error));
        try {
          const context = contextOf(request as FastifyRequest, sdk, "JSONRPC");
          const response = await callByRpc({
            sdk,
            agent: handlerFor(request as FastifyRequest, reply as unknown as FastifyReply, sdk),
            context,
            request: read,
            isLegacy: context.requestedVersion === "0.3",
          });
          if (!(Symbol.asyncIterator in response)) return await send(response);
          return await sendEvents(reply as unknown as FastifyReply, response, fail);
        } catch (error) {
          if (!(error instanceof sdk.errors.A2AError)) throw error;
          if (!isStreaming(read)) return await send(fail(error));
          return sendEvents(reply as unknown as FastifyReply, once(fail(error)), fail);
        }
      },
    );
}

function rpcErrorOf({ errors }: Sdk, error: unknown): JsonRpcError {
  return error instanceof errors.A2AError ? errors.toJsonRpcError(error) : INTERNAL_ERROR;
}

async function* once(value: object): AsyncGenerator<object> {
  yield await Promise.resolve(value);
}
