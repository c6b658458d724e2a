import * as z from "zod";
import { success } from "../../../contract/api.ts";
import { API_ERRORS } from "../../../contract/errors.ts";
import {
  agentCardResponseSchema,
  externalAgentSecretResponseSchema,
  findAgentCardSchema,
} from "../../../contract/teams.ts";
import type { HttpServer } from "../../http/server.ts";
import { AppError } from "../../lib/errors.ts";
import type { Teams } from "../teams.ts";
import type { RemoteCard } from "./agent-cards.ts";

const tags = ["teams"];
const params = z.object({ id: z.string(), name: z.string() });

export interface ExternalAgentRoutesDeps {
  teams: Teams;
  /** Undefined when the address serves no card. */
  readCard(ownerId: string, url: string): Promise<RemoteCard | undefined>;
}

export function externalAgentRoutes(app: HttpServer, { teams, readCard }: ExternalAgentRoutesDeps): void {
  app.post(
    "/api/agent-teams/agent-card",
    {
      config: { access: { role: "builder", scope: "workflows:write" }, audit: { none: "changes nothing" } },
      schema: {
        tags,
        operationId: "findAgentCard",
        summary: "Read the A2A card of an external agent",
        description:
          "Fetches `.well-known/agent-card.json` below the address, through the rules for outgoing connections. An address without a card is used as a plain webhook.",
        errors: ["fetch_failed", "egress_denied", "limit_reached"],
        body: findAgentCardSchema,
        response: { 200: agentCardResponseSchema },
      },
    },
    async (request) => {
      const card = await readCard(request.workspaceId, request.body.url).catch(throwFetchFailed);
      if (card === undefined) return { ok: true as const, protocol: "webhook" as const, card: null };
      const { name, description, skills, credentialHeaders } = card;
      return {
        ok: true as const,
        protocol: "a2a" as const,
        card: { name, description, skills, credentialHeaders },
      };
    },
  );

  app.post(
    "/api/agent-teams/:id/external-agents/:name/secret",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "createExternalAgentSecret",
        summary: "Create the secret of one external agent",
        description:
          "With it, the agent calls the team only in its own name. It replaces an earlier one of this agent; the secret of the team keeps working.",
        params,
        response: { 201: externalAgentSecretResponseSchema },
      },
    },
    async (request, reply) => {
      const { id, name } = request.params;
      const secret = await teams.createAgentSecret(request.workspaceId, id, name);
      return reply.status(201).send({ ok: true as const, name, secret });
    },
  );

  app.delete(
    "/api/agent-teams/:id/external-agents/:name/secret",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "deleteExternalAgentSecret",
        summary: "Delete the secret of one external agent",
        description: "It stops working at once.",
        params,
        response: { 200: success({}) },
      },
    },
    async (request) => {
      await teams.deleteAgentSecret(request.workspaceId, request.params.id, request.params.name);
      return { ok: true as const };
    },
  );
}

/** Errors of outgoing connections have no status of their own. */
function throwFetchFailed(error: unknown): never {
  if (!(error instanceof AppError) || error.code in API_ERRORS) throw error;
  throw new AppError("fetch_failed", error.message, { cause: error });
}
