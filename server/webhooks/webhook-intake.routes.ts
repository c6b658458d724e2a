import { PUBLIC_CALL } from "../http/audit.ts";
import { anyOf } from "../http/openapi/security.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ZodTypeProvider } from "@fastify/type-provider-zod";
import * as z from "zod";
import {
  webhookAcceptedSchema,
  webhookChallengeSchema,
  webhookSourceSchema,
} from "../../contract/webhooks.ts";
import type { RateLimiter } from "../lib/rate-limiter.ts";
import type { ChallengeResponse } from "./challenge.ts";
import type { WebhookIntake } from "./webhook-intake.ts";
import type { Refusals } from "./refusals.ts";
import type { Candidates } from "./webhook-authorization.ts";
import type { Address } from "./webhook.sql.ts";
import { sendSyncResponse } from "../endpoints/endpoint.routes.ts";
import type { TaskWithSteps } from "../engine/engine-api.ts";
import { isId } from "../lib/ids.ts";
import { toErrorResponse } from "../http/errors.ts";
import { sendJson } from "../http/replies.ts";
import { limitRate } from "../http/rate-limit.ts";
import type { HttpServer } from "../http/server.ts";
import { calledUrl } from "./url-signatures.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The webhooks that this call may be for, as far as the headers tell; null before that and once its body was read. */
    webhookCandidates: Candidates | null;
  }
}

export interface WebhookIntakeRoutesDeps {
  intake: WebhookIntake;
  refusals: Pick<Refusals, "rateLimited" | "unverified">;
  limiter: RateLimiter;
  bodyLimitBytes: number;
  /** Public base URL, which senders sign; defaults to the host of the request. */
  publicUrl: string | undefined;
  /** The task once it has ended, or after the time limit of synchronous calls. */
  settled(taskId: string): Promise<TaskWithSteps>;
}

const querySchema = z.looseObject({
  secret: z.unknown().optional().describe("The webhook's secret; prefer the x-webhook-secret header"),
});

const ADDRESSES = [
  { url: "/webhook/:source", params: z.object({ source: z.string() }), by: "by its source", idSuffix: "" },
  {
    url: "/webhook/w/:webhookId",
    params: z.object({ webhookId: z.string() }),
    by: "by its id",
    idSuffix: "ById",
  },
] as const;

/** Receives webhook calls. A separate Fastify scope keeps the body as raw bytes, which signatures cover. */
export function webhookIntakeRoutes(app: HttpServer, deps: WebhookIntakeRoutesDeps): void {
  const { intake, refusals, limiter, bodyLimitBytes, publicUrl, settled } = deps;
  app.decorateRequest("webhookCandidates", null);

  void app.register(async (instance) => {
    const scope = instance.withTypeProvider<ZodTypeProvider>();
    scope.removeAllContentTypeParsers();
    // Every media type: a refused one is recorded for the owner.
    scope.addContentTypeParser(
      "*",
      { parseAs: "buffer", bodyLimit: bodyLimitBytes },
      (_request, body, done) => done(null, body),
    );

    scope.addHook("onError", async (request, _reply, thrown) => {
      const { error } = toErrorResponse(thrown).body;
      const { webhookCandidates: candidates, method } = request;
      if (error === "rate_limited") await refusals.rateLimited(addressOf(request), method);
      else if (candidates !== null) await refusals.unverified(candidates, method, error);
    });

    const authorization = {
      config: { auth: "public" as const, audit: PUBLIC_CALL },
      onRequest: [
        limitRate(limiter, (request) => `${request.ip} ${rateLimitKey(addressOf(request))}`),
        async (request: FastifyRequest, reply: FastifyReply) => {
          const query = request.query as Record<string, unknown>;
          const found = await intake.preauthorize(addressOf(request), secretOf(request), {
            method: request.method,
            query,
          });
          if ("answer" in found) return sendAnswer(reply, found.answer);
          request.webhookCandidates = found;
        },
      ],
    };
    const receive = async (request: FastifyRequest, reply: FastifyReply) => {
      const candidates = request.webhookCandidates as Candidates;
      request.webhookCandidates = null;
      const received = await intake.receive(candidates, {
        method: request.method,
        url: calledUrl(publicUrl ?? `${request.protocol}://${request.host}`, request.url),
        headers: request.headers,
        query: request.query as Record<string, unknown>,
        rawBody: (request.body as Buffer | null) ?? undefined,
      });
      if ("answer" in received) return sendAnswer(reply, received.answer);
      const { taskId } = received;
      if (!received.customResponse) return sendJson(reply, 200, { ok: true, taskId });
      return sendSyncResponse(reply, withoutSteps(await settled(taskId)), { isCustom: true });
    };
    const schema = {
      tags: ["webhooks"],
      errors: [
        "workflow_not_found",
        "workflow_paused",
        "idempotency_conflict",
        "rate_limited",
        "limit_reached",
        "execution_failed",
      ] as const,
      querystring: querySchema,
      response: { 200: z.union([webhookAcceptedSchema, webhookChallengeSchema]) },
    };

    for (const { url, params, by, idSuffix } of ADDRESSES) {
      scope.post(
        url,
        {
          ...authorization,
          bodyLimit: bodyLimitBytes,
          schema: {
            ...schema,
            operationId: `receiveWebhook${idSuffix}`,
            summary: `Receive a webhook call ${by} and start a task with its body as input`,
            description:
              "The body is JSON or a form (`application/x-www-form-urlencoded`, or `multipart/form-data`), which becomes an object of fields with files as references. JSON may be sent as `text/plain` or without a type. A binary body becomes `{file}`. Send the secret in the `x-webhook-secret` header or as `?secret=`, or sign the body with a supported vendor's scheme. Deliveries with the same `Idempotency-Key`, `X-GitHub-Delivery`, `webhook-id` or Stripe event id start one task. Of a CloudEvent (`application/cloudevents+json`, or `ce-` headers), the data is the input, and events with the same `id` and `source` start one task.",
            security: anyOf("webhookSecret", "webhookSecretInUrl", "webhookSignature"),
            requestHeaders: ["IdempotencyKey"],
            consumes: [
              "application/json",
              "application/x-www-form-urlencoded",
              "multipart/form-data",
              "application/cloudevents+json",
              "application/octet-stream",
              "text/plain",
            ],
            params,
            body: z.unknown().describe("Any JSON value, or a form"),
          },
        },
        receive,
      );

      scope.get(
        url,
        {
          ...authorization,
          // A HEAD request must not start a task.
          config: { ...authorization.config, refusesHead: true },
          schema: {
            ...schema,
            operationId: `receiveWebhookQuery${idSuffix}`,
            summary: `Receive a webhook call ${by} and start a task with its query as input`,
            description:
              "For senders that can only open a URL. Send the secret in the `x-webhook-secret` header or as `?secret=`.",
            security: anyOf("webhookSecret", "webhookSecretInUrl"),
            params,
          },
        },
        receive,
      );
    }
  });
}

/** The sender of a webhook is not a client of the owner: it learns nothing about the steps and their errors. */
function withoutSteps({ task }: TaskWithSteps): TaskWithSteps {
  return { task: { ...task, error: null }, stepResults: [] };
}

/** Text as `text/plain`: Microsoft Graph accepts nothing else, and no browser renders it. */
function sendAnswer(reply: FastifyReply, answer: ChallengeResponse): FastifyReply {
  return typeof answer === "string"
    ? reply.type("text/plain; charset=utf-8").send(answer)
    : sendJson(reply, 200, answer);
}

function addressOf(request: FastifyRequest): Address {
  return request.params as Address;
}

/** All invalid addresses share one counter, so that invented names cannot fill the limiter's memory. */
function rateLimitKey(address: Address): string {
  if ("webhookId" in address) return isId("wh", address.webhookId) ? address.webhookId : "?";
  return webhookSourceSchema.safeParse(address.source).success ? address.source : "?";
}

/** `?secret=a&secret=b` becomes one wrong secret: the response is `invalid_secret`, not `missing_secret`. */
function secretOf(request: FastifyRequest): string | undefined {
  const header = request.headers["x-webhook-secret"];
  if (typeof header === "string" && header !== "") return header;
  const { secret } = request.query as { secret?: unknown };
  return secret === undefined || secret === "" ? undefined : String(secret);
}
