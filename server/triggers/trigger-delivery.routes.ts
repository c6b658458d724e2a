import type { ZodTypeProvider } from "@fastify/type-provider-zod";
import * as z from "zod";
import { success } from "../../contract/api.ts";
import { webhookChallengeSchema } from "../../contract/webhooks.ts";
import type { DeliveryCall } from "../apps/app-delivery.ts";
import { PUBLIC_CALL } from "../http/audit.ts";
import { JSON_MEDIA_TYPE } from "../lib/json-media-type.ts";
import { anyOf } from "../http/openapi/security.ts";
import { limitRate } from "../http/rate-limit.ts";
import { sendJson } from "../http/replies.ts";
import type { HttpServer } from "../http/server.ts";
import { isId } from "../lib/ids.ts";
import type { RateLimiter } from "../lib/rate-limiter.ts";
import type { ChallengeResponse } from "../webhooks/challenge.ts";
import { calledUrl } from "../webhooks/url-signatures.ts";

export interface TriggerDeliveryRoutesDeps {
  receive(id: string, call: DeliveryCall): Promise<ChallengeResponse | undefined>;
  limiter: RateLimiter;
  bodyLimitBytes: number;
  publicUrl: string | undefined;
}

/** Receives the calls of apps. A separate scope keeps the body as raw bytes, which signatures cover. */
export function triggerDeliveryRoutes(app: HttpServer, deps: TriggerDeliveryRoutesDeps): void {
  const { receive, limiter, bodyLimitBytes, publicUrl } = deps;
  void app.register(async (instance) => {
    const scope = instance.withTypeProvider<ZodTypeProvider>();
    scope.removeAllContentTypeParsers();
    for (const mediaType of [JSON_MEDIA_TYPE, "application/x-www-form-urlencoded", "text/plain"])
      scope.addContentTypeParser(
        mediaType,
        { parseAs: "buffer", bodyLimit: bodyLimitBytes },
        (_request, body, done) => done(null, body),
      );
    scope.post(
      "/webhook/t/:triggerId",
      {
        config: { auth: "public", audit: PUBLIC_CALL },
        bodyLimit: bodyLimitBytes,
        onRequest: limitRate(limiter, (request) => {
          const { triggerId } = request.params as { triggerId: string };
          return `${request.ip} ${isId("trg", triggerId) ? triggerId : "?"}`;
        }),
        schema: {
          tags: ["triggers"],
          operationId: "receiveAppEvent",
          summary: "Receive an event of an app",
          description:
            "The address that a webhook trigger of an app gives to its vendor. The vendor's signature is verified; each delivery starts one run.",
          // A vendor that checks the address sends no signature with it.
          security: anyOf("webhookSignature", "nothing"),
          errors: ["trigger_not_found", "invalid_signature", "rate_limited"],
          consumes: ["application/json", "application/x-www-form-urlencoded"],
          params: z.object({ triggerId: z.string() }),
          querystring: z.looseObject({}),
          body: z.unknown().describe("What the vendor sends"),
          response: { 200: z.union([success({}), webhookChallengeSchema]) },
        },
      },
      async (request, reply) => {
        const answer = await receive(request.params.triggerId, {
          method: request.method,
          url: calledUrl(publicUrl ?? `${request.protocol}://${request.host}`, request.url),
          headers: request.headers,
          query: request.query as Record<string, unknown>,
          rawBody: (request.body as Buffer | null) ?? Buffer.alloc(0),
        });
        if (typeof answer === "string") return reply.type("text/plain; charset=utf-8").send(answer);
        return sendJson(reply, 200, answer ?? { ok: true });
      },
    );
  });
}
