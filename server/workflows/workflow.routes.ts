import * as z from "zod";
import { success } from "../../contract/api.ts";
import { type TemplateFile, templateFileSchema } from "../../contract/templates.ts";
import {
  createWorkflowSchema,
  savedWorkflowResponseSchema,
  updateWorkflowSchema,
  workflowResponseSchema,
  workflowListResponseSchema,
  workflowListQuerySchema,
} from "../../contract/workflows.ts";
import type { Drafts } from "./drafts.ts";
import { toSavedResponse, toWorkflow, toWorkflowSummary } from "./workflow-view.ts";
import type { Workflows } from "./workflows.ts";
import { attachmentHeader } from "../http/replies.ts";
import { exampleGraph } from "../http/openapi/example-values.ts";
import type { HttpServer } from "../http/server.ts";

const tags = ["workflows"];
const idParams = z.object({ id: z.string() });

export interface WorkflowRoutesDeps {
  workflows: Workflows;
  drafts: Drafts;
  apisOf: ApisOf;
}

/** The APIs that the steps of a graph use. */
export type ApisOf = (
  ownerId: string,
  graph: { steps: readonly unknown[] },
) => Promise<NonNullable<TemplateFile["apis"]>>;

export function workflowRoutes(app: HttpServer, { workflows, drafts, apisOf }: WorkflowRoutesDeps): void {
  app.post(
    "/api/workflows",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "createWorkflow",
        summary: "Create a workflow",
        description:
          "Stores version 1. A graph with errors is refused with all its problems at once; without steps the workflow is an empty one. With `published: false` the first published draft becomes version 1.",
        errors: ["slug_taken", "invalid_workflow"],
        bodyExample: { name: "Confirm order", ...exampleGraph },
        body: createWorkflowSchema,
        response: { 201: savedWorkflowResponseSchema },
      },
    },
    async (request, reply) =>
      reply
        .status(201)
        .send(toSavedResponse(await workflows.create(request.workspaceId, request.body, request.authorId))),
  );

  app.get(
    "/api/workflows",
    {
      config: { access: { role: "viewer", scope: "workflows:read" } },
      schema: {
        tags,
        operationId: "listWorkflows",
        summary: "List workflows, newest first",
        description: "Without `graph=false` every workflow includes its steps and edges.",
        querystring: workflowListQuerySchema,
        response: { 200: workflowListResponseSchema },
      },
    },
    async ({ workspaceId, query: { graph, ...page } }) => {
      if (graph === "false") {
        const { items, nextCursor } = await workflows.listSummaries(workspaceId, page);
        return { ok: true as const, workflows: items.map(toWorkflowSummary), nextCursor };
      }
      const { items, nextCursor } = await workflows.list(workspaceId, page);
      return { ok: true as const, workflows: items.map(toWorkflow), nextCursor };
    },
  );

  app.get(
    "/api/workflows/:id",
    {
      config: { access: { role: "viewer", scope: "workflows:read" } },
      schema: {
        tags,
        operationId: "getWorkflow",
        summary: "Read a workflow",
        description:
          "The live version with its steps and edges. `draft` tells whether there are unpublished changes.",
        params: idParams,
        response: { 200: workflowResponseSchema },
      },
    },
    async (request) => ({
      ok: true as const,
      workflow: toWorkflow(await workflows.get(request.workspaceId, request.params.id)),
    }),
  );

  for (const method of ["PUT", "PATCH"] as const) {
    app.route({
      method,
      url: "/api/workflows/:id",
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: method === "PUT" ? "putWorkflow" : "updateWorkflow",
        summary: "Update a workflow",
        description:
          "Changes the live version at once: fields that are absent keep their value. A change of name, description or graph adds a version.",
        errors: ["slug_taken", "version_conflict", "invalid_workflow"],
        params: idParams,
        bodyExample: { metadata: exampleGraph, baseVersion: 3, note: "Confirm by email" },
        body: updateWorkflowSchema,
        response: { 200: savedWorkflowResponseSchema },
      },
      handler: async (request) =>
        toSavedResponse(
          await workflows.update(request.workspaceId, request.params.id, request.body, request.authorId),
        ),
    });
  }

  app.delete(
    "/api/workflows/:id",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "deleteWorkflow",
        summary: "Delete a workflow",
        description:
          "Its endpoint, webhooks and schedules start nothing any more. Tasks that have started run to their end.",
        params: idParams,
        response: { 200: success({}) },
      },
    },
    async (request) => {
      await workflows.remove(request.workspaceId, request.params.id);
      return { ok: true as const };
    },
  );

  app.post(
    "/api/workflows/:id/clone",
    {
      config: { access: { role: "builder", scope: "workflows:write" }, audit: { creates: "workflow" } },
      schema: {
        tags,
        operationId: "cloneWorkflow",
        summary: "Clone a workflow",
        description: "The copy is named `… (copy)`. Its endpoint is disabled.",
        errors: ["invalid_workflow"],
        params: idParams,
        response: { 201: savedWorkflowResponseSchema },
      },
    },
    async (request, reply) =>
      reply
        .status(201)
        .send(toSavedResponse(await drafts.clone(request.workspaceId, request.params.id, request.authorId))),
  );

  app.get(
    "/api/workflows/:id/export",
    {
      config: { access: { role: "viewer", scope: "workflows:read" }, audit: {} },
      schema: {
        tags,
        operationId: "exportWorkflow",
        summary: "Export a workflow as a template file",
        description:
          "The file has the graph and the version history. `POST /api/templates` reads it, here or on another instance.",
        params: idParams,
        querystring: z.object({
          version: z
            .enum(["live", "draft"])
            .default("live")
            .describe("`draft` exports unpublished changes, if there are any"),
        }),
        response: { 200: templateFileSchema },
      },
    },
    async (request, reply) => {
      const { workspaceId, params, query } = request;
      const draft = query.version === "draft" ? await drafts.find(workspaceId, params.id) : undefined;
      const file = await workflows.export(workspaceId, params.id, draft);
      const apis = await apisOf(workspaceId, file.metadata);
      return reply
        .header("content-disposition", attachmentHeader(`${file.name}.json`))
        .send(apis.length === 0 ? file : { ...file, apis });
    },
  );
}
