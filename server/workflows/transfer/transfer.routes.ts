import type { FastifyRequest } from "fastify";
import * as z from "zod";
import {
  copyResponseSchema,
  moveResponseSchema,
  transferQuerySchema,
  transferSchema,
} from "../../../contract/transfers.ts";
import type { HttpServer } from "../../http/server.ts";
import type { Transfers } from "./transfers.ts";

const schema = {
  tags: ["workflows"],
  params: z.object({ id: z.string() }),
  querystring: transferQuerySchema,
  body: transferSchema,
};
/** A key of a person reaches another workspace with the role of that person there. */
const SCOPE = "workspace:write";

/** The other workspace; nothing arrives there in a dry run. */
const targetOf = ({ body, query }: FastifyRequest): string | undefined =>
  (query as { dryRun?: string }).dryRun === "true"
    ? undefined
    : (body as { workspaceId: string }).workspaceId;

export function transferRoutes(app: HttpServer, transfers: Transfers): void {
  app.post(
    "/api/workflows/:id/copy",
    {
      config: { access: { role: "viewer", scope: SCOPE }, audit: { alsoIn: targetOf } },
      schema: {
        ...schema,
        errors: ["invalid_workflow"],
        response: { 200: copyResponseSchema },
        operationId: "copyWorkflow",
        summary: "Copy a workflow to another workspace",
        description:
          "With its history, its endpoint turned off. You need the role builder in the other workspace. `needed` lists what the copy refers to and the other workspace does not have: replace connections in the steps, create variables. No credential or value is copied.",
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
      config: { access: { role: "builder", scope: SCOPE }, audit: { alsoIn: targetOf } },
      schema: {
        ...schema,
        errors: ["transfer_conflict"],
        response: { 200: moveResponseSchema },
        operationId: "moveWorkflow",
        summary: "Move a workflow to another workspace",
        description:
          "It keeps its id, versions, draft, endpoint address, webhooks, schedules, triggers, stored values and runs; a long history follows in the background (`movesRuns`). You need the role builder in both workspaces. API keys, connections and variables stay: `needed` lists what the other workspace lacks. It is 409 while a run has not ended.",
      },
    },
    async ({ workspaceId, userId, params: { id: workflowId }, query, body }) => {
      const dryRun = query.dryRun === "true";
      const target = { workspaceId, userId, workflowId, targetId: body.workspaceId, dryRun };
      return { ok: true as const, ...(await transfers.move(target)) };
    },
  );
}
