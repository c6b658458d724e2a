import type { A2ARequestHandler, ServerCallContext } from "@a2a-js/sdk/server";
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from "fastify";
import * as z from "zod";
import type { ApiErrorCode } from "../../contract/errors.ts";
import type { Binding } from "./protocol-version.ts";
import type { Sdk } from "./sdk.ts";

export const AGENT_PARAMS = z.object({
  agentId: z.string().describe("The id of a team or of an exposed workflow"),
});

/** A body that is not JSON: an error of the binding. */
export const MALFORMED = Symbol("malformed");

/** What the routes of both bindings share. */
export interface BindingRoutes {
  /** Authenticates the caller before the body is read. */
  authenticated(binding: Binding): {
    config: { auth: "public"; a2aBinding: Binding };
    bodyLimit: number;
    onRequest: onRequestAsyncHookHandler[];
  };
  described: {
    tags: string[];
    security: Record<string, string[]>[];
    errors: readonly ApiErrorCode[];
    params: typeof AGENT_PARAMS;
    response: Record<"200" | "4xx", z.ZodType<Record<string, unknown>>>;
  };
  handlerFor(request: FastifyRequest, reply: FastifyReply, sdk: Sdk): A2ARequestHandler;
  /** Throws for a version that the binding does not support. */
  contextOf(request: FastifyRequest, sdk: Sdk, binding: Binding): ServerCallContext;
  /** The JSON of the body, undefined when there is none, or `MALFORMED`. */
  parsedBody(request: FastifyRequest): Promise<unknown>;
}
