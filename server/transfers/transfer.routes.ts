import type { FastifyRequest } from "fastify";
import * as z from "zod";
import {
  copyResponseSchema,
  copyWorkflowResponseSchema,
  moveResponseSchema,
  moveWorkflowResponseSchema,
  type TransferKind,
  transferQuerySchema,
  transferSchema,
} from "../../contract/transfers.ts";
import type { HttpServer } from "../http/server.ts";
import type { KindTransfers, Transfer } from "./transfer.ts";

interface KindRoutes {
  path: string;
  tag: string;
  /** `copyAgent`, `moveAgent`. */
  operation: string;
  copies: string;
  moves: string;
}

const REPORTS =
  "`needed` lists what it refers to and the other workspace does not have. No credential or value is taken along.";
const ROUTES: Readonly<Record<TransferKind, KindRoutes>> = {
  workflow: {
    path: "/api/workflows",
    tag: "workflows",
    operation: "Workflow",
    copies:
      "With its history, its endpoint turned off. You need the role builder in the other workspace. `needed` lists what the copy refers to and the other workspace does not have: replace connections in the steps, create variables. No credential or value is copied.",
    moves:
      "It keeps its id, versions, draft, endpoint address, webhooks, schedules, triggers, stored values and runs; a long history follows in the background (`isMoving`). You need the role builder in both workspaces. API keys, connections and variables stay: `needed` lists what the other workspace lacks. It is 409 while a run has not ended.",
  },
  agent: {
    path: "/api/agents",
    tag: "agents",
    operation: "Agent",
    copies: `Without its memory. You need the role builder in the other workspace. ${REPORTS}`,
    moves: `It keeps its id, its memory and its name for clients. You need the role builder in both workspaces. ${REPORTS}`,
  },
  team: {
    path: "/api/agent-teams",
    tag: "teams",
    operation: "Team",
    copies: `Without its sessions, and with a secret that nobody knows: replace it. You need the role builder in the other workspace. ${REPORTS}`,
    moves: `It keeps its id, its address, its secrets and its sessions; many sessions follow in the background (\`isMoving\`). You need the role builder in both workspaces. It is 409 while a session has not ended. ${REPORTS}`,
  },
  template: {
    path: "/api/templates",
    tag: "templates",
    operation: "Template",
    copies: `With its version history. You need the role builder in the other workspace. ${REPORTS}`,
    moves: `It keeps its id and its version history. You need the role builder in both workspaces. ${REPORTS}`,
  },
  document: {
    path: "/api/v1/documents",
    tag: "documents",
    operation: "Document",
    copies:
      "With its file, passages, vectors and tags, and without its collections; it is `processing` until they are copied. You need the role builder in the other workspace, and its hourly upload budget counts. It is 409 when the document is not indexed or the other workspace has one with the same file.",
    moves:
      "It keeps its id, file, passages, vectors and tags, and leaves its collections; its words follow in the index in the background (`isMoving`). You need the role builder in both workspaces. It is 409 when the document is not indexed or the other workspace has one with the same file.",
  },
};
/** Logins only: a key acts in its own workspace. */
const scope = null;

type TransferRequest = Pick<FastifyRequest, "workspaceId" | "userId"> & {
  params: { id: string };
  query: z.output<typeof transferQuerySchema>;
  body: z.output<typeof transferSchema>;
};

/** The other workspace. */
const targetOf = ({ body }: FastifyRequest): string => (body as { workspaceId: string }).workspaceId;

const toTransfer = ({ workspaceId, userId, params, query, body }: TransferRequest): Transfer => ({
  workspaceId,
  userId,
  id: params.id,
  targetId: body.workspaceId,
  dryRun: query.dryRun === "true",
});

export function transferRoutes(
  app: HttpServer,
  transfers: Readonly<Record<TransferKind, KindTransfers>>,
  /** Ends what members of the former workspace follow. */
  onMoved: (workspaceId: string) => void,
): void {
  for (const [kind, { path, tag, operation, copies, moves }] of Object.entries(ROUTES)) {
    const { copy, move } = transfers[kind as TransferKind];
    const isWorkflow = kind === "workflow";
    const schema = {
      tags: [tag],
      params: z.object({ id: z.string() }),
      querystring: transferQuerySchema,
      body: transferSchema,
    };

    app.post(
      `${path}/:id/copy`,
      {
        config: { access: { role: "viewer", scope }, audit: { dryRunIn: "query", alsoIn: targetOf } },
        schema: {
          ...schema,
          errors: isWorkflow ? ["invalid_workflow"] : ["transfer_conflict"],
          response: { 200: isWorkflow ? copyWorkflowResponseSchema : copyResponseSchema },
          operationId: `copy${operation}`,
          summary: `Copy a ${kind} to another workspace`,
          description: copies,
        },
      },
      async (request) => {
        const report = await copy(toTransfer(request));
        return { ok: true as const, ...report, ...(isWorkflow && { workflowId: report.id }) };
      },
    );

    app.post(
      `${path}/:id/move`,
      {
        config: { access: { role: "builder", scope }, audit: { dryRunIn: "query", alsoIn: targetOf } },
        schema: {
          ...schema,
          errors: ["transfer_conflict"],
          response: { 200: isWorkflow ? moveWorkflowResponseSchema : moveResponseSchema },
          operationId: `move${operation}`,
          summary: `Move a ${kind} to another workspace`,
          description: moves,
        },
      },
      async (request) => {
        const report = await move(toTransfer(request));
        if (report.id !== null) onMoved(request.workspaceId);
        const { id: workflowId, isMoving: movesRuns } = report;
        return { ok: true as const, ...report, ...(isWorkflow && { workflowId, movesRuns }) };
      },
    );
  }
}
