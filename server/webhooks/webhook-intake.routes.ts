import type { FastifyRequest } from "fastify";
import type { ZodTypeProvider } from "@fastify/type-provider-zod";
import * as z from "zod";
import { errorSchema } from "../../contract/api.ts";
import { webhookAcceptedSchema, webhookSourceSchema } from "../../contract/webhooks.ts";
import type { RateLimiter } from "../lib/rate-limiter.ts";
import type { WebhookIntake } from "./webhook-intake.ts";
import type { Candidates } from "./webhook-authorization.ts";
import { FORM_MEDIA_TYPE } from "./form-body.ts";
import { JSON_MEDIA_TYPE } from "../http/json-body.ts";
import { limitRate } from "../http/rate-limit.ts";
import type { HttpServer } from "../http/server.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The webhooks that this call may be for, as far as the headers tell. */
    webhookCandidates: Candidates | null;
  }
}

export interface WebhookIntakeRoutesDeps {
  intake: WebhookIntake;
  limiter: RateLimiter;
  bodyLimitBytes: number;
}

const querySchema = z.looseObject({
  secret: z.unknown().optional().describe("The webhook's secret; prefer the x-webhook-secret header"),
});

/** Receives webhook calls. A separate Fastify scope keeps the body as raw bytes, which signatures cover. */
export function webhookIntakeRoutes(app: HttpServer, deps: WebhookIntakeRoutesDeps): void {
  const { intake, limiter, bodyLimitBytes } = deps;
  app.decorateRequest("webhookCandidates", null);

  void app.register(async (instance) => {
    const scope = instance.withTypeProvider<ZodTypeProvider>();
    scope.removeAllContentTypeParsers();
    for (const mediaType of [JSON_MEDIA_TYPE, FORM_MEDIA_TYPE]) {
      scope.addContentTypeParser(
        mediaType,
        { parseAs: "buffer", bodyLimit: bodyLimitBytes },
        (_request, body, done) => done(null, body),
      );
    }

    const authorization = {
      config: { auth: "public" as const },
      onRequest: [
        limitRate(limiter, (request) => `${request.ip} ${rateLimitKey(sourceOf(request))}`),
        async (request: FastifyRequest) => {
          const secret = secretOf(request);
          request.webhookCandidates = await intake.preauthorize(request.method, sourceOf(request), secret);
        },
      ],
    };
    const receive = async (request: FastifyRequest) => {
      const { taskId } = await intake.receive(request.webhookCandidates as Candidates, {
        method: request.method,
        headers: request.headers,
        query: request.query as Record<string, unknown>,
        rawBody: (request.body as Buffer | null) ?? undefined,
      });
      return { ok: true as const, taskId };
    };

    scope.post(
      "/webhook/:source",
      {
        ...authorization,
        bodyLimit: bodyLimitBytes,
        schema: {
          tags: ["webhooks"],
          summary: "Receive a webhook call and start a task with its body as input",
          description:
            "The body is JSON or a form (`application/x-www-form-urlencoded`, or `multipart/form-data` without files), which becomes an object of fields. Send the secret in the `x-webhook-secret` header or as `?secret=`, or sign the body with a supported vendor's scheme. Deliveries with the same `Idempotency-Key`, `X-GitHub-Delivery`, `webhook-id` or Stripe event id start one task.",
          security: [],
          params: z.object({ source: z.string() }),
          querystring: querySchema,
          body: z.unknown().describe("Any JSON value, or a form"),
          response: { 200: webhookAcceptedSchema, "4xx": errorSchema },
        },
      },
      receive,
    );

    scope.get(
      "/webhook/:source",
      {
        ...authorization,
        // A HEAD request must not start a task.
        exposeHeadRoute: false,
        schema: {
          tags: ["webhooks"],
          summary: "Receive a webhook call and start a task with its query as input",
          description:
            "For senders that can only open a URL. Send the secret in the `x-webhook-secret` header or as `?secret=`.",
          security: [],
          params: z.object({ source: z.string() }),
          querystring: querySchema,
          response: { 200: webhookAcceptedSchema, "4xx": errorSchema },
        },
      },
      receive,
    );
  });
}

function sourceOf(request: FastifyRequest): string {
  return (request.params as { source: string }).source;
}

/** All invalid sources share one counter, so that invented names cannot fill the limiter's memory. */
function rateLimitKey(source: string): string {
  return webhookSourceSchema.safeParse(source).success ? source : "?";
}

/** `?secret=a&secret=b` becomes one wrong secret: the response is `invalid_secret`, not `missing_secret`. */
function secretOf(request: FastifyRequest): string | undefined {
  const header = request.headers["x-webhook-secret"];
  if (typeof header === "string" && header !== "") return header;
  const { secret } = request.query as { secret?: unknown };
  return secret === undefined || secret === "" ? undefined : String(secret);
}
