import { PUBLIC_CALL } from "../http/audit.ts";
import { anyOf } from "../http/openapi/security.ts";
import type { FastifyRequest } from "fastify";
import * as z from "zod";
import { a2aAcceptedSchema, a2aMessageSchema } from "../../contract/a2a.ts";
import { AppError } from "../lib/errors.ts";
import { isId } from "../lib/ids.ts";
import type { RateLimiter } from "../lib/rate-limiter.ts";
import type { A2aIntake, AuthenticatedTeam } from "../teams/a2a-intake.ts";
import { limitRate } from "../http/rate-limit.ts";
import type { HttpServer } from "../http/server.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The team whose secret the caller has sent. */
    authenticatedTeam: AuthenticatedTeam | null;
  }
}

export interface A2aWebhookDeps {
  intake: A2aIntake;
  limiter: RateLimiter;
  bodyLimitBytes: number;
}

/** The rate limit, then the secret, both before the body is read. */
function accessHooks({ intake, limiter }: A2aWebhookDeps) {
  return [
    // All malformed ids share one bucket, so that made-up ids cannot fill the limiter's memory.
    limitRate(
      limiter,
      (request) => `${request.ip} ${isId("team", teamIdOf(request)) ? teamIdOf(request) : "?"}`,
    ),
    async (request: FastifyRequest) => {
      const secret = request.headers["x-a2a-secret"];
      request.authenticatedTeam = await intake.authenticate(
        teamIdOf(request),
        Array.isArray(secret) ? secret[0] : secret,
      );
    },
  ];
}

export function a2aWebhookRoutes(app: HttpServer, deps: A2aWebhookDeps): void {
  app.decorateRequest("authenticatedTeam", null);
  app.post(
    "/webhook/a2a/:teamId",
    {
      config: { auth: "public", audit: PUBLIC_CALL },
      bodyLimit: deps.bodyLimitBytes,
      // An invalid body is `invalid_message` here, not `invalid_request`.
      attachValidation: true,
      onRequest: accessHooks(deps),
      schema: {
        tags: ["a2a"],
        operationId: "postA2aMessage",
        summary: "Post a message of an external agent to a session of the team",
        errors: [
          "invalid_message",
          "invalid_session",
          "session_not_found",
          "session_cancelled",
          "rate_limited",
        ],
        description:
          "Send the team's secret, or that of the external agent, in the header `x-a2a-secret`; `from` must be an external agent that the team lists.",
        security: anyOf("a2aSecret"),
        params: z.object({ teamId: z.string() }),
        body: a2aMessageSchema,
        response: { 200: a2aAcceptedSchema },
      },
    },
    async (request) => {
      const message = a2aMessageSchema.safeParse(request.body);
      if (!message.success) throw invalidMessage(message.error);
      return { ok: true as const, ...(await deps.intake.receive(request.authenticatedTeam!, message.data)) };
    },
  );
}

function invalidMessage({ issues }: z.ZodError): AppError {
  const details = issues.map(({ path, message }) => ({ path: path.join("."), message }));
  const [first] = details;
  return new AppError(
    "invalid_message",
    `The message is not valid: ${first?.path ? `${first.path}: ` : ""}${first?.message ?? ""}.`,
    { details },
  );
}

function teamIdOf(request: FastifyRequest): string {
  return (request.params as { teamId: string }).teamId;
}
