import {
  designResponseSchema,
  generationResponseSchema,
  generateSchema,
} from "../../../contract/generation.ts";
import type { RateLimiter } from "../../lib/rate-limiter.ts";
import type { Generation } from "./generate.ts";
import { triggerOf } from "./trigger-of.ts";
import { toWorkflow } from "../workflow-view.ts";
import { limitRate } from "../../http/rate-limit.ts";
import type { HttpServer } from "../../http/server.ts";

export interface GenerationRoutesDeps {
  generation: Generation;
  limiter: RateLimiter;
}

export function generationRoutes(app: HttpServer, { generation, limiter }: GenerationRoutesDeps): void {
  app.post(
    "/api/workflows/generate-ai",
    {
      config: { access: { role: "builder", scope: "workflows:write" }, audit: { creates: "workflow" } },
      schema: {
        tags: ["workflows"],
        operationId: "generateWorkflow",
        summary: "Generate a workflow from a description",
        errors: ["generation_failed", "limit_reached", "model_failed"],
        description:
          "Generates and saves a workflow, but never runs it. With save: false the response is 200 and nothing is saved.",
        body: generateSchema,
        response: {
          200: designResponseSchema,
          201: generationResponseSchema,
        },
      },
      // Runs after the login and before the body is read; counts per workspace, not per address.
      onRequest: limitRate(limiter, (request) => request.workspaceId),
    },
    async (request, reply) => {
      const { prompt, save } = request.body;
      const gone = new AbortController();
      reply.raw.once("close", () => gone.abort(new Error("the caller disconnected")));
      const trigger = triggerOf(prompt);
      const proposal = trigger === undefined ? {} : { trigger };
      if (!save) {
        const { warnings, generatedBy, ...workflow } = await generation.design(
          request.workspaceId,
          prompt,
          gone.signal,
        );
        return reply.status(200).send({ ok: true as const, workflow, warnings, ...proposal, generatedBy });
      }
      const { workflow, warnings, generatedBy } = await generation.create(
        request.workspaceId,
        prompt,
        request.authorId,
        gone.signal,
      );
      return reply
        .status(201)
        .send({ ok: true as const, workflow: toWorkflow(workflow), warnings, ...proposal, generatedBy });
    },
  );
}
