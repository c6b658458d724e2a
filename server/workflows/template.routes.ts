import * as z from "zod";
import { errorSchema, pageQuerySchema, success } from "../../contract/api.ts";
import {
  importResponseSchema,
  registerTemplateSchema,
  templateResponseSchema,
  templateListResponseSchema,
  validationResponseSchema,
} from "../../contract/templates.ts";
import type { Templates } from "./templates.ts";
import { toWorkflow } from "./workflow-record.ts";
import type { HttpServer } from "../http/server.ts";

const tags = ["templates"];
const params = z.object({ id: z.string() });
const failures = { "4xx": errorSchema };

export interface TemplateRoutesDeps {
  templates: Templates;
  /** An exported file holds its graph several times over and its history: it is larger than what it came from. */
  fileLimitBytes: number;
}

export function templateRoutes(app: HttpServer, { templates, fileLimitBytes }: TemplateRoutesDeps): void {
  app.get(
    "/api/templates",
    {
      schema: {
        tags,
        summary: "Your own templates and the built-in starters",
        querystring: pageQuerySchema,
        response: { 200: templateListResponseSchema, ...failures },
      },
    },
    async (request) => ({ ok: true as const, ...(await templates.list(request.userId, request.query)) }),
  );

  app.get(
    "/api/templates/:id",
    {
      schema: {
        tags,
        summary: "Read a template",
        params,
        response: { 200: templateResponseSchema, ...failures },
      },
    },
    async (request) => ({
      ok: true as const,
      template: await templates.get(request.userId, request.params.id),
    }),
  );

  app.post(
    "/api/templates",
    {
      bodyLimit: fileLimitBytes,
      schema: {
        tags,
        summary: "Register an exported file as a template",
        body: registerTemplateSchema,
        response: { 201: templateResponseSchema, ...failures },
      },
    },
    async (request, reply) =>
      reply
        .status(201)
        .send({ ok: true as const, template: await templates.register(request.userId, request.body) }),
  );

  app.delete(
    "/api/templates/:id",
    {
      schema: {
        tags,
        summary: "Delete a template of your own",
        params,
        response: { 200: success({}), ...failures },
      },
    },
    async (request) => {
      await templates.remove(request.userId, request.params.id);
      return { ok: true as const };
    },
  );

  app.get(
    "/api/templates/:id/validate",
    {
      schema: {
        tags,
        summary: "Check a template's graph",
        params,
        response: { 200: validationResponseSchema, ...failures },
      },
    },
    async (request) => ({
      ok: true as const,
      ...(await templates.validate(request.userId, request.params.id)),
    }),
  );

  app.post(
    "/api/templates/import/:id",
    {
      schema: {
        tags,
        summary: "Make a workflow of a template",
        params,
        response: { 201: importResponseSchema, ...failures },
      },
    },
    async (request, reply) => {
      const { workflow, warnings } = await templates.import(request.userId, request.params.id);
      return reply.status(201).send({ ok: true as const, workflow: toWorkflow(workflow), warnings });
    },
  );
}
