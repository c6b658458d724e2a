import type { FastifyRequest } from "fastify";
import * as z from "zod";
import { transferQuerySchema, transferResponseSchema, transferSchema } from "../../../contract/transfers.ts";
import type { HttpServer } from "../../http/server.ts";
import type { Transfers } from "./transfers.ts";

const schema = {
  tags: ["workflows"],
  errors: ["invalid_workflow"] as const,
  params: z.object({ id: z.string() }),
  querystring: transferQuerySchema,
  body: transferSchema,
  response: { 200: transferResponseSchema },
};

/** The other workspace; nothing arrives there in a dry run. */
const targetOf = ({ body, query }: FastifyRequest): string | undefined =>
  (query as { dryRun?: string }).dryRun === "true"
    ? undefined
    : (body as { workspaceId: string }).workspaceId;

export function transferRoutes(app: HttpServer, transfers: Transfers): void {
  app.post(
    "/api/workflows/:id/copy",
    {
      config: { access: { role: "viewer", scope: null }, audit: { alsoIn: targetOf } },
      schema: {
        ...schema,
        operationId: "copyWorkflow",
        summary: "Copy a workflow to another workspace",
        description:
          "With its history, its endpoint turned off. `needed` lists what the copy refers to and the other workspace does not have: replace connections in the steps, create variables. No credential or value is copied.",
      },
    },
    async ({ workspaceId, userId, params: { id: workflowId }, query, body }) => {
      const dryRun = query.dryRun === "true";
      const target = { workspaceId, userId, workflowId, targetId: body.workspaceId, dryRun };
      return { ok: true as const, ...(await transfers.copy(target)) };
    },
  );

  app.post(
    "/api/workflows/:id/move",
    {
      config: { access: { role: "builder", scope: null }, audit: { alsoIn: targetOf } },
      schema: {
        ...schema,
        operationId: "moveWorkflow",
        summary: "Move a workflow to another workspace",
        description:
          "Copies it as `POST /api/workflows/{id}/copy` does and deletes it here. It gets a new id; its runs stay here, and what started it here starts nothing any more.",
      },
    },
    async ({ workspaceId, userId, params: { id: workflowId }, query, body }) => {
      const dryRun = query.dryRun === "true";
      const target = { workspaceId, userId, workflowId, targetId: body.workspaceId, dryRun };
      return { ok: true as const, ...(await transfers.move(target)) };
    },
  );
}
