import * as z from "zod";
import { success } from "../../contract/api.ts";
import { type TemplateFile, templateFileSchema } from "../../contract/templates.ts";
import {
  createWorkflowSchema,
  savedWorkflowResponseSchema,
  updateWorkflowSchema,
  versionResponseSchema,
  versionListQuerySchema,
  versionListResponseSchema,
  workflowResponseSchema,
  workflowListResponseSchema,
  workflowListQuerySchema,
} from "../../contract/workflows.ts";
import { toIso } from "../lib/clock.ts";
import type { Drafts } from "./drafts.ts";
import { toVersion, toWorkflow, toWorkflowSummary } from "./workflow-view.ts";
import type { SavedWorkflow, Workflows } from "./workflows.ts";
import { attachmentHeader } from "../http/replies.ts";
import { exampleGraph } from "../http/openapi/example-values.ts";
import type { HttpServer } from "../http/server.ts";

const tags = ["workflows"];
const idParams = z.object({ id: z.string() });
const versionParams = z.object({ id: z.string(), version: z.string() });
/** 0 is the state before the first version, negative numbers are the snapshots of draft runs: both can only be read. */
const parseVersion = (text: string) => (/^(0|-?[1-9]\d{0,14})$/.test(text) ? Number(text) : NO_VERSION);
/** No workflow reaches this number, so the response is 404. */
const NO_VERSION = Number.MAX_SAFE_INTEGER;

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

  app.get(
    "/api/workflows/:id/versions",
    {
      config: { access: { role: "viewer", scope: "workflows:read" } },
      schema: {
        tags,
        operationId: "listVersions",
        summary: "List versions, newest first",
        description:
          "Every change of name, description or graph is a version. `runs=true` counts the runs of each.",
        params: idParams,
        querystring: versionListQuerySchema,
        response: { 200: versionListResponseSchema },
      },
    },
    async (request) => {
      const { workspaceId, params } = request;
      const { runs, ...page } = request.query;
      const { items, nextCursor } = await workflows.listVersions(workspaceId, params.id, page);
      const counts = runs === "true" ? await workflows.countRuns(workspaceId, params.id) : undefined;
      return {
        ok: true as const,
        versions: items.map((version) => ({
          ...version,
          createdAt: toIso(version.createdAt),
          ...(counts === undefined ? {} : { runs: counts.get(version.version) ?? 0 }),
        })),
        nextCursor,
      };
    },
  );

  app.get(
    "/api/workflows/:id/versions/:version",
    {
      config: { access: { role: "viewer", scope: "workflows:read" } },
      schema: {
        tags,
        operationId: "getVersion",
        summary: "Read a version",
        description:
          "The name, description and graph of a version. Negative numbers are the snapshots of draft runs.",
        params: versionParams,
        response: { 200: versionResponseSchema },
      },
    },
    async (request) => {
      const { id, version } = request.params;
      return {
        ok: true as const,
        version: toVersion(await workflows.getVersion(request.workspaceId, id, parseVersion(version))),
      };
    },
  );

  app.post(
    "/api/workflows/:id/rollback/:version",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "rollbackWorkflow",
        summary: "Roll back to a version",
        description: "Adds a version with the content of the old one, so that nothing is lost.",
        errors: ["invalid_workflow"],
        params: versionParams,
        response: { 200: savedWorkflowResponseSchema },
      },
    },
    async (request) => {
      const { id, version } = request.params;
      const number = parseVersion(version);
      return toSavedResponse(
        await workflows.rollback(
          request.workspaceId,
          id,
          number <= 0 ? NO_VERSION : number,
          request.authorId,
        ),
      );
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

function toSavedResponse({ workflow, warnings }: SavedWorkflow) {
  return { ok: true as const, workflow: toWorkflow(workflow), warnings };
}
