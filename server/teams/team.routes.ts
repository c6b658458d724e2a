import * as z from "zod";
import { pageQuerySchema, success } from "../../contract/api.ts";
import {
  createTeamSchema,
  discoveryResponseSchema,
  runTeamSchema,
  sessionListResponseSchema,
  type Team,
  teamResponseSchema,
  teamListResponseSchema,
  teamRunResponseSchema,
  teamSecretResponseSchema,
  updateTeamSchema,
} from "../../contract/teams.ts";
import type { Sessions } from "./sessions.ts";
import { toIso } from "../lib/clock.ts";
import type { TeamRecord } from "./team.sql.ts";
import type { SavedTeam, Teams } from "./teams.ts";
import { readIdempotencyKey } from "../endpoints/idempotency.ts";
import type { HttpServer } from "../http/server.ts";

const tags = ["teams"];
const params = z.object({ id: z.string() });

export function teamRoutes(app: HttpServer, { teams, sessions }: { teams: Teams; sessions: Sessions }): void {
  const response = ({ team, warnings }: SavedTeam) => ({ ok: true as const, team: toTeam(team), warnings });
  const responseWithSecret = ({ team, warnings, secret }: SavedTeam & { secret: string }) => ({
    ok: true as const,
    team: { ...toTeam(team), a2aSecret: secret },
    warnings,
  });

  app.post(
    "/api/agent-teams",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "createTeam",
        summary: "Create a team; its A2A secret is shown only in this response",
        description:
          "Internal agents take turns by the topology; external ones talk to the team over A2A with the secret.",
        body: createTeamSchema,
        response: { 201: teamSecretResponseSchema },
      },
    },
    async (request, reply) =>
      reply.status(201).send(responseWithSecret(await teams.create(request.workspaceId, request.body))),
  );

  app.get(
    "/api/agent-teams",
    {
      config: { access: { role: "viewer", scope: "workflows:read" } },
      schema: {
        tags,
        operationId: "listTeams",
        summary: "List your teams, newest first",
        description: "Without their A2A secrets.",
        querystring: pageQuerySchema,
        response: { 200: teamListResponseSchema },
      },
    },
    async (request) => {
      const { items, nextCursor } = await teams.list(request.workspaceId, request.query);
      return { ok: true as const, teams: items.map(toTeam), nextCursor };
    },
  );

  app.get(
    "/api/agent-teams/:id",
    {
      config: { access: { role: "viewer", scope: "workflows:read" } },
      schema: {
        tags,
        operationId: "getTeam",
        summary: "Read a team",
        description: "`warnings` name agents that no longer exist.",
        params,
        response: { 200: teamResponseSchema },
      },
    },
    async (request) => response(await teams.get(request.workspaceId, request.params.id)),
  );

  for (const method of ["PUT", "PATCH"] as const) {
    app.route({
      method,
      url: "/api/agent-teams/:id",
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: method === "PUT" ? "putTeam" : "updateTeam",
        summary: "Change a team",
        description: "Fields that are absent keep their value.",
        params,
        body: updateTeamSchema,
        response: { 200: teamResponseSchema },
      },
      handler: async (request) =>
        response(await teams.update(request.workspaceId, request.params.id, request.body)),
    });
  }

  app.delete(
    "/api/agent-teams/:id",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "deleteTeam",
        summary: "Delete a team with its sessions and their logs",
        description: "Sessions in progress end at once.",
        params,
        response: { 200: success({}) },
      },
    },
    async (request) => {
      await teams.remove(request.workspaceId, request.params.id);
      return { ok: true as const };
    },
  );

  app.post(
    "/api/agent-teams/:id/rotate-secret",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "rotateTeamSecret",
        summary: "Replace the A2A secret; the old one stops working immediately",
        description: "The new secret is shown only here. Give it to the external agents of the team.",
        params,
        response: { 200: teamSecretResponseSchema },
      },
    },
    async (request) => responseWithSecret(await teams.rotateSecret(request.workspaceId, request.params.id)),
  );

  app.get(
    "/api/agent-teams/:teamId/discovery",
    {
      config: { access: { role: "viewer", scope: "workflows:read" } },
      schema: {
        tags,
        operationId: "listTeamMembers",
        summary: "List the members of a team with their capabilities",
        description: "Internal and external agents, as agents of the team see each other.",
        params: z.object({ teamId: z.string() }),
        response: { 200: discoveryResponseSchema },
      },
    },
    async (request) => ({
      ok: true as const,
      discovery: await teams.discovery(request.workspaceId, request.params.teamId),
    }),
  );

  app.post(
    "/api/agent-teams/:id/run",
    {
      config: { access: { role: "operator", scope: "runs:write" } },
      schema: {
        tags,
        operationId: "startSession",
        summary: "Start a session with an objective",
        requestHeaders: ["IdempotencyKey"],
        errors: ["idempotency_conflict", "limit_reached", "llm_not_configured"],
        description:
          "Starts immediately if a client is in the team's war room, otherwise when one joins or after ten seconds.",
        params,
        body: runTeamSchema,
        response: { 200: teamRunResponseSchema },
      },
    },
    async (request) => {
      const { objective, input } = request.body;
      const wanted = objective ?? input ?? "";
      const header = request.headers["idempotency-key"];
      const { key } = (await readIdempotencyKey(header, request.params.id, wanted)) ?? {};
      const { id, teamId, status } = await sessions.run(request.workspaceId, request.params.id, wanted, key);
      return { ok: true as const, sessionId: id, teamId, status };
    },
  );

  app.get(
    "/api/agent-teams/:id/sessions",
    {
      config: { access: { role: "viewer", scope: "runs:read" } },
      schema: {
        tags,
        operationId: "listSessions",
        summary: "List a team's sessions, newest first",
        description: "Without their logs.",
        params,
        querystring: pageQuerySchema,
        response: { 200: sessionListResponseSchema },
      },
    },
    async (request) => {
      const { items, nextCursor } = await sessions.list(
        request.workspaceId,
        request.params.id,
        request.query,
      );
      return { ok: true as const, sessions: items.map(sessions.view), nextCursor };
    },
  );
}

function toTeam({ ownerId: _owner, secretHash: _hash, createdAt, updatedAt, ...team }: TeamRecord): Team {
  return { ...team, createdAt: toIso(createdAt), updatedAt: toIso(updatedAt) };
}
