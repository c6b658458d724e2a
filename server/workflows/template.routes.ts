import * as z from "zod";
import { pageQuery, success } from "../../contract/api.ts";
import {
  importResponseSchema,
  importTemplateSchema,
  registerTemplateSchema,
  templateResponseSchema,
  templateListResponseSchema,
  updateTemplateSchema,
  validationResponseSchema,
} from "../../contract/templates.ts";
import type { Templates } from "./templates.ts";
import { toWorkflow } from "./workflow-view.ts";
import type { HttpServer } from "../http/server.ts";

const tags = ["templates"];
const params = z.object({ id: z.string() });

export interface TemplateRoutesDeps {
  templates: Templates;
  /** Larger than the limit of a workflow: an exported file contains the version history. */
  fileLimitBytes: number;
}

export function templateRoutes(app: HttpServer, { templates, fileLimitBytes }: TemplateRoutesDeps): void {
  app.get(
    "/api/templates",
    {
      config: { access: { role: "viewer", scope: "workflows:read" } },
      schema: {
        tags,
        operationId: "listTemplates",
        summary: "List your templates and the built-in starters",
        description: "Your templates first, newest first, then the starters that ship with the service.",
        querystring: pageQuery(/^(tpl_[0-9a-z]+|starter:\d{1,9})$/),
        response: { 200: templateListResponseSchema },
      },
    },
    async (request) => ({ ok: true as const, ...(await templates.list(request.workspaceId, request.query)) }),
  );

  app.get(
    "/api/templates/:id",
    {
      config: { access: { role: "viewer", scope: "workflows:read" } },
      schema: {
        tags,
        operationId: "getTemplate",
        summary: "Read a template",
        description: "One of your templates, or a built-in starter.",
        params,
        response: { 200: templateResponseSchema },
      },
    },
    async (request) => ({
      ok: true as const,
      template: await templates.get(request.workspaceId, request.params.id),
    }),
  );

  app.post(
    "/api/templates",
    {
      bodyLimit: fileLimitBytes,
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "createTemplate",
        summary: "Create a template from an exported file",
        description:
          "Reads a file of `GET /api/workflows/{id}/export`, or steps and edges written by hand. A template with errors is stored too; its import is refused.",
        body: registerTemplateSchema,
        bodyExample: {
          name: "Greeting",
          steps: [{ stepId: "greet", type: "transform", template: "Hello {{input.name}}" }],
        },
        response: { 201: templateResponseSchema },
      },
    },
    async (request, reply) =>
      reply
        .status(201)
        .send({ ok: true as const, template: await templates.register(request.workspaceId, request.body) }),
  );

  app.patch(
    "/api/templates/:id",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "updateTemplate",
        summary: "Rename a template or describe it anew",
        description:
          "Only your own; fields that are absent keep their value. Workflows that were created from it stay as they are.",
        params,
        body: updateTemplateSchema,
        bodyExample: { name: "Greeting of new customers" },
        response: { 200: templateResponseSchema },
      },
    },
    async (request) => ({
      ok: true as const,
      template: await templates.update(request.workspaceId, request.params.id, request.body),
    }),
  );

  app.delete(
    "/api/templates/:id",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "deleteTemplate",
        summary: "Delete a template",
        description: "Only your own. Workflows that were created from it stay.",
        params,
        response: { 200: success({}) },
      },
    },
    async (request) => {
      await templates.remove(request.workspaceId, request.params.id);
      return { ok: true as const };
    },
  );

  app.get(
    "/api/templates/:id/validate",
    {
      config: { access: { role: "viewer", scope: "workflows:read" } },
      schema: {
        tags,
        operationId: "validateTemplate",
        summary: "Validate a template",
        description: "All errors and warnings of its graph. Only a template without errors can be imported.",
        params,
        response: { 200: validationResponseSchema },
      },
    },
    async (request) => ({
      ok: true as const,
      ...(await templates.validate(request.workspaceId, request.params.id)),
    }),
  );

  app.post(
    "/api/templates/import/:id",
    {
      config: { access: { role: "builder", scope: "workflows:write" }, audit: { creates: "workflow" } },
      schema: {
        tags,
        operationId: "importTemplate",
        summary: "Create a workflow from a template",
        description:
          "The new workflow has the versions of the template, then the imported state as the newest.",
        errors: ["invalid_workflow"],
        params,
        body: importTemplateSchema,
        bodyExample: { name: "Greeting of new customers" },
        response: { 201: importResponseSchema },
      },
    },
    async (request, reply) => {
      const { workspaceId, authorId, params, body } = request;
      const { workflow, warnings } = await templates.import(workspaceId, params.id, authorId, body?.name);
      return reply.status(201).send({ ok: true as const, workflow: toWorkflow(workflow), warnings });
    },
  );
}
