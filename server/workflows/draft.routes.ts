import * as z from "zod";
import { success } from "../../contract/api.ts";
import {
  draftResponseSchema,
  publishSchema,
  savedDraftResponseSchema,
  saveDraftSchema,
} from "../../contract/drafts.ts";
import { savedWorkflowResponseSchema } from "../../contract/workflows.ts";
import type { Drafts } from "./drafts.ts";
import { toDraft, toWorkflow } from "./workflow-view.ts";
import type { HttpServer } from "../http/server.ts";

const tags = ["workflows"];
const params = z.object({ id: z.string() });

export function draftRoutes(app: HttpServer, drafts: Drafts): void {
  app.get(
    "/api/workflows/:id/draft",
    {
      config: { access: { role: "viewer", scope: "workflows:read" } },
      schema: {
        tags,
        operationId: "getDraft",
        summary: "Read the draft of a workflow",
        description: "`draft` is null when there are no unpublished changes.",
        params,
        response: { 200: draftResponseSchema },
      },
    },
    async ({ workspaceId, params: { id } }) => {
      const { draft, errors, warnings } = await drafts.get(workspaceId, id);
      return { ok: true as const, draft: draft === undefined ? null : toDraft(draft), errors, warnings };
    },
  );

  app.put(
    "/api/workflows/:id/draft",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "saveDraft",
        summary: "Save the draft of a workflow",
        errors: ["version_conflict"],
        description:
          "A draft with errors is stored too. Public endpoints, webhooks, schedules, sub-workflows and tools run the live version until the draft is published.",
        params,
        body: saveDraftSchema,
        response: { 200: savedDraftResponseSchema },
      },
    },
    async ({ workspaceId, authorId, params: { id }, body }) => {
      const { draft, errors, warnings } = await drafts.save(workspaceId, id, body, authorId);
      return { ok: true as const, draft: toDraft(draft), errors, warnings };
    },
  );

  app.delete(
    "/api/workflows/:id/draft",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "deleteDraft",
        summary: "Discard the draft of a workflow",
        description: "The live version stays what it is. Without a draft nothing changes.",
        params,
        response: { 200: success({}) },
      },
    },
    async ({ workspaceId, params: { id } }) => {
      await drafts.discard(workspaceId, id);
      return { ok: true as const };
    },
  );

  app.post(
    "/api/workflows/:id/publish",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "publishDraft",
        summary: "Publish the draft of a workflow",
        errors: ["version_conflict", "invalid_workflow"],
        description:
          "Makes the draft the live version and removes it. Runs in progress end on their version. Without a draft nothing changes. 409 `version_conflict` when the live version changed after the draft was begun, 422 `invalid_workflow` when the draft has errors.",
        params,
        body: publishSchema,
        response: { 200: savedWorkflowResponseSchema },
      },
    },
    async ({ workspaceId, authorId, params: { id }, body }) => {
      const { workflow, warnings } = await drafts.publish(workspaceId, id, body ?? {}, authorId);
      return { ok: true as const, workflow: toWorkflow(workflow), warnings };
    },
  );
}
