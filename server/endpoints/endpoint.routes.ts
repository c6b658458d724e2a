import { PUBLIC_CALL } from "../http/audit.ts";
import { anyOf } from "../http/openapi/security.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import { statusOfError } from "../../contract/errors.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { TriggerRequest } from "../../contract/placeholders/render.ts";
import {
  executionFailedSchema,
  executionTimeoutSchema,
  publicCallResponseSchema,
  publicCallSchema,
  publicTaskResponseSchema,
} from "../../contract/public-calls.ts";
import type { TaskWithSteps } from "../engine/engine-api.ts";
import { invalidRequest } from "../lib/errors.ts";
import { streamJson } from "../lib/stored-json.ts";
import type { RateLimiter } from "../lib/rate-limiter.ts";
import { clientNetwork } from "../security/address-classes.ts";
import { redactRequest } from "../security/redact-request.ts";
import { viewTask } from "../tasks/task-view.ts";
import type { Endpoint } from "./endpoint.sql.ts";
import type { PublicCall, PublicCalls } from "./public-calls.ts";
import type { CustomResponse } from "./custom-response.ts";
import { toBadResponse, toCustomResponse, toSyncResponse } from "./sync-response.ts";
import { multipartScope } from "../run-files/multipart-scope.routes.ts";
import { type FormPart, receiveForm } from "../run-files/receive-form.ts";
import type { RunFiles } from "../run-files/run-files.ts";
import { bearerOf } from "../http/auth.ts";
import { errorBody } from "../http/errors.ts";
import { refusalOf } from "../http/rate-limit.ts";
import { sendJson, sendStored, type StoredReply } from "../http/replies.ts";
import type { HttpServer } from "../http/server.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The public endpoint that this request is authorized to call. */
    endpoint: Endpoint | null;
  }
}

const tags = ["public"];

export interface EndpointRoutesDeps {
  calls: PublicCalls;
  limiter: RateLimiter;
  runFiles: Pick<RunFiles, "create">;
  /** Of a call with files that declares no length. */
  maxChunkedBytes: number;
}

export function endpointRoutes(app: HttpServer, deps: EndpointRoutesDeps): void {
  app.decorateRequest("endpoint", null);
  multipartScope(app, (scope) => callRoute(scope, deps));
  taskRoute(app, deps.calls);
}

function callRoute(app: HttpServer, { calls, limiter, runFiles, maxChunkedBytes }: EndpointRoutesDeps): void {
  app.post(
    "/api/workflows/public/:idOrSlug",
    {
      config: { auth: "public", audit: PUBLIC_CALL, maxChunkedBytes },
      schema: {
        tags,
        operationId: "callEndpoint",
        summary: "Call a public endpoint",
        requestHeaders: ["IdempotencyKey"],
        errors: [
          "workflow_not_found",
          "workflow_paused",
          "idempotency_conflict",
          "invalid_workflow",
          "rate_limited",
          "limit_reached",
        ],
        description:
          "Requires `Authorization: Bearer <API key of the owner>` unless the endpoint's authentication is off. With an `Idempotency-Key` header, calls with the same key and body within 24 hours return the same task and response. With files, send `multipart/form-data`: the part `input` is JSON, and files and other fields are added to it by their names.",
        consumes: ["application/json", "multipart/form-data"],
        security: anyOf("apiKey", "nothing"),
        params: z.object({ idOrSlug: z.string() }),
        body: publicCallSchema,
        response: {
          200: publicCallResponseSchema,
          500: executionFailedSchema,
          504: executionTimeoutSchema,
        },
      },
      // Authorizes the caller before the body is read.
      onRequest: async (request: FastifyRequest) => {
        const { idOrSlug } = request.params as { idOrSlug: string };
        request.endpoint = await calls.authorize("api", idOrSlug, bearerOf(request), request.ip);
        await limitCaller(limiter, request.endpoint, request.ip);
      },
      preValidation: rejectNull,
    },
    async (request, reply) => {
      const endpoint = request.endpoint as Endpoint;
      const isCustom = endpoint.customResponse;
      const call = await readCall(request, runFiles);
      const { taskId, settled } = await (isCustom ? calls.call : calls.callForBody)(endpoint, call);
      if (typeof settled === "string") return sendStored(reply, settled);
      if (settled !== undefined) return sendSyncResponse(reply, settled, { isCustom });
      return sendJson(reply, 200, { ok: true, taskId, workflowId: endpoint.workflow.id });
    },
  );
}

function taskRoute(app: HttpServer, calls: PublicCalls): void {
  app.get(
    "/api/workflows/public/tasks/:taskId",
    {
      config: { auth: "public" },
      schema: {
        tags,
        operationId: "getEndpointTask",
        summary: "Read a task started by a public call",
        errors: ["task_not_found"],
        description:
          "Requires an API key of the endpoint's owner unless the endpoint's authentication is off.",
        security: anyOf("apiKey", "nothing"),
        params: z.object({ taskId: z.string() }),
        response: { 200: publicTaskResponseSchema },
      },
    },
    async (request, reply) => {
      const { task, stepResults } = await calls.getTask(request.params.taskId, bearerOf(request), request.ip);
      const { id: taskId, status } = task;
      return sendStored(
        reply,
        streamJson((embed) => ({ ok: true, taskId, status, task: viewTask(task, stepResults, embed) })),
      );
    },
  );
}

/** What a request to an endpoint or its form calls it with, from JSON or a multipart body. */
export async function readCall(
  request: FastifyRequest,
  runFiles: Pick<RunFiles, "create">,
): Promise<PublicCall> {
  const { workflow } = request.endpoint as Endpoint;
  const body = (request.body ?? {}) as { input?: Record<string, JsonValue> };
  const form = request.isMultipart()
    ? await receiveForm(
        request.parts() as AsyncIterable<FormPart>,
        workflow.ownerId,
        runFiles,
        request.routeOptions.bodyLimit,
      )
    : undefined;
  return {
    input: form?.input ?? body.input ?? {},
    body: form?.fingerprint ?? body,
    idempotencyKey: request.headers["idempotency-key"],
    received: () => receivedRequest(request),
  };
}

/** What `{{trigger}}` reads. */
function receivedRequest(request: FastifyRequest): TriggerRequest {
  const { method, headers, query } = request;
  return redactRequest({ method, headers, query: query as Record<string, unknown> }, bearerOf(request));
}

/** Counts the calls of one endpoint, its form included, by API key or network. Throws `rate_limited`. */
export async function limitCaller(limiter: RateLimiter, endpoint: Endpoint, ip: string): Promise<void> {
  // An endpoint that needs no key ignores it, so an invented key must not open a new count.
  const caller = endpoint.authentication ? endpoint.key?.id : clientNetwork(ip);
  const refusal = refusalOf(await limiter.take(`${endpoint.workflow.id} ${caller}`));
  if (refusal !== undefined) throw refusal;
}

/** The validator treats a missing body and JSON null alike; only a missing body is an empty call. */
function rejectNull(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  done(
    request.body === null && !request.isMultipart()
      ? invalidRequest("The body must be an object, or absent.")
      : undefined,
  );
}

/** Responds to a call that waited for its run, including `run?wait=true`. */
export async function sendSyncResponse(
  reply: FastifyReply,
  settled: TaskWithSteps,
  /** With `isCustom` the output of the response step is the whole response. */
  { isCustom } = { isCustom: false },
): Promise<FastifyReply> {
  const custom = isCustom ? await toCustomResponse(settled) : undefined;
  if (typeof custom === "object") return sendCustomResponse(reply, custom);
  let outcome: StoredReply = {};
  const body = streamJson((embed) => {
    const response =
      custom === undefined ? toSyncResponse(settled, embed) : toBadResponse(settled, custom, embed);
    if (response.kind === "done") return response.body;
    outcome = { status: statusOfError(response.kind), error: response.kind };
    return errorBody(response.kind, response.message, response.more);
  });
  return sendStored(reply, body, outcome);
}

/** Sandboxed: HTML that a workflow composed must not act as the page of this origin, where logins are stored. */
const SANDBOX =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data: https:; frame-ancestors 'none'";

function sendCustomResponse(
  reply: FastifyReply,
  { statusCode, headers, body }: CustomResponse,
): FastifyReply {
  return reply
    .status(statusCode)
    .headers({ "cache-control": "no-store", ...headers, "content-security-policy": SANDBOX })
    .serializer((text: unknown) => String(text))
    .send(body);
}
