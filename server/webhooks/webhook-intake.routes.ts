import type { FastifyRequest } from "fastify";
import type { ZodTypeProvider } from "@fastify/type-provider-zod";
import * as z from "zod";
import { errorSchema } from "../../contract/api.ts";
import { webhookAcceptedSchema, webhookSourceSchema } from "../../contract/webhooks.ts";
import type { RateLimiter } from "../lib/rate-limiter.ts";
import type { WebhookIntake } from "./webhook-intake.ts";
import type { Knock } from "./webhook-admission.ts";
import { JSON_MEDIA_TYPE } from "../http/json-body.ts";
import { limitRate } from "../http/rate-limit.ts";
import type { HttpServer } from "../http/server.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Whose webhook this call may be for, as far as that is known without its body. */
    knock: Knock | null;
  }
}

export interface WebhookIntakeRoutesDeps {
  intake: WebhookIntake;
  limiter: RateLimiter;
  bodyLimitBytes: number;
}

/** The public side of webhooks, in a scope of its own because its bodies stay bytes: signatures cover those. */
export function webhookIntakeRoutes(app: HttpServer, deps: WebhookIntakeRoutesDeps): void {
  const { intake, limiter, bodyLimitBytes } = deps;
  app.decorateRequest("knock", null);

  void app.register(async (instance) => {
    const scope = instance.withTypeProvider<ZodTypeProvider>();
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      JSON_MEDIA_TYPE,
      { parseAs: "buffer", bodyLimit: bodyLimitBytes },
      (_request, body, done) => done(null, body),
    );

    scope.post(
      "/webhook/:source",
      {
        config: { auth: "public" },
        bodyLimit: bodyLimitBytes,
        schema: {
          tags: ["webhooks"],
          summary: "Receive a call from outside: the JSON body becomes the task's input",
          description:
            "The secret goes into the header `x-webhook-secret` or into `?secret=`; a vendor's signature may stand in for it. `Idempotency-Key`, `X-GitHub-Delivery`, `webhook-id` and Stripe's event id make a repeated delivery the same task.",
          security: [],
          params: z.object({ source: z.string() }),
          querystring: z.looseObject({
            secret: z.unknown().optional().describe("The webhook's secret; better in x-webhook-secret"),
          }),
          body: z.unknown().describe("Any JSON value"),
          response: { 200: webhookAcceptedSchema, "4xx": errorSchema },
        },
        onRequest: [
          limitRate(limiter, (request) => `${request.ip} ${countedSource(sourceOf(request))}`),
          async (request: FastifyRequest) => {
            request.knock = await intake.knock(sourceOf(request), secretOf(request));
          },
        ],
      },
      async (request) => {
        const { taskId } = await intake.receive(request.knock as Knock, {
          headers: request.headers,
          rawBody: (request.body as Buffer | null) ?? undefined,
        });
        return { ok: true as const, taskId };
      },
    );
  });
}

function sourceOf(request: FastifyRequest): string {
  return (request.params as { source: string }).source;
}

/** What can be no webhook's source counts as one, so that invented words do not fill the limiter's memory. */
function countedSource(source: string): string {
  return webhookSourceSchema.safeParse(source).success ? source : "?";
}

/** `?secret=a&secret=b` is no secret of ours, but one was given: it is wrong, not missing. */
function secretOf(request: FastifyRequest): string | undefined {
  const header = request.headers["x-webhook-secret"];
  if (typeof header === "string" && header !== "") return header;
  const { secret } = request.query as { secret?: unknown };
  return secret === undefined || secret === "" ? undefined : String(secret);
}
