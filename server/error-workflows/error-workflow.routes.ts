import * as z from "zod";
import { errorWorkflowResponseSchema } from "../../contract/accounts.ts";
import { text } from "../../contract/api.ts";
import type { HttpServer } from "../http/server.ts";

const tags = ["accounts"];

export interface ErrorWorkflowRoutesDeps {
  get(workspaceId: string): Promise<string | null>;
  set(workspaceId: string, workflowId: string | null): Promise<void>;
}

export function errorWorkflowRoutes(app: HttpServer, { get, set }: ErrorWorkflowRoutesDeps): void {
  app.get(
    "/api/account/error-workflow",
    {
      config: { access: { role: "viewer", scope: "workflows:read" } },
      schema: {
        tags,
        operationId: "getErrorWorkflow",
        summary: "Read the error workflow of the account",
        description:
          "The workflow that runs when a run fails whose own workflow sets none; `null` when there is none.",
        response: { 200: errorWorkflowResponseSchema },
      },
    },
    async (request) => ({ ok: true as const, errorWorkflowId: await get(request.workspaceId) }),
  );

  app.put(
    "/api/account/error-workflow",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "setErrorWorkflow",
        summary: "Set the error workflow of the account",
        errors: ["workflow_not_found", "forbidden"],
        description: "It applies to workflows that set none in their `settings`. `null` removes it.",
        body: z.object({ errorWorkflowId: text(100, 1).nullable() }),
        response: { 200: errorWorkflowResponseSchema },
      },
    },
    async (request) => {
      const { errorWorkflowId } = request.body;
      await set(request.workspaceId, errorWorkflowId);
      return { ok: true as const, errorWorkflowId };
    },
  );
}
