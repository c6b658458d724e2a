import * as z from "zod";
import {
  type Agent,
  agentResponseSchema,
  agentListResponseSchema,
  agentRunResponseSchema,
  createAgentSchema,
  runAgentSchema,
  updateAgentSchema,
} from "../../contract/agents.ts";
import { pageQuerySchema, success } from "../../contract/api.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { toIso } from "../lib/clock.ts";
import type { AgentRecord } from "./agent.sql.ts";
import type { Agents } from "./agents.ts";
import { spentFields } from "../models/language-model.ts";
import { toPrompt, type RunAgent } from "./run-agent.ts";
import type { HttpServer } from "../http/server.ts";

const tags = ["agents"];
const params = z.object({ id: z.string() });

/** A tool, or the connection of the model, names a record that the workspace does not have. */
const MISSING_TOOLS = [
  "workflow_not_found",
  "document_not_found",
  "collection_not_found",
  "mcp_server_not_found",
  "app_not_found",
  "connection_not_found",
] as const;

export function agentRoutes(
  app: HttpServer,
  { agents, runAgent }: { agents: Agents; runAgent: RunAgent },
): void {
  app.post(
    "/api/agents",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "createAgent",
        errors: ["forbidden", ...MISSING_TOOLS],
        summary: "Register an agent",
        description: "A model with instructions, and the workflows and documents that it may use as tools.",
        body: createAgentSchema,
        response: { 201: agentResponseSchema },
      },
    },
    async (request, reply) => {
      const agent = await agents.create(request.workspaceId, request.body);
      return reply.status(201).send({ ok: true, agent: toAgent(agent) });
    },
  );

  app.get(
    "/api/agents",
    {
      config: { access: { role: "viewer", scope: "workflows:read" } },
      schema: {
        tags,
        operationId: "listAgents",
        summary: "List your agents, newest first",
        description: "Each with its instructions, tools and limits.",
        querystring: pageQuerySchema,
        response: { 200: agentListResponseSchema },
      },
    },
    async (request) => {
      const { items, nextCursor } = await agents.list(request.workspaceId, request.query);
      return { ok: true as const, agents: items.map(toAgent), nextCursor };
    },
  );

  app.get(
    "/api/agents/:id",
    {
      config: { access: { role: "viewer", scope: "workflows:read" } },
      schema: {
        tags,
        operationId: "getAgent",
        summary: "Read an agent",
        description: "With its instructions, tools and limits.",
        params,
        response: { 200: agentResponseSchema },
      },
    },
    async (request) => ({
      ok: true as const,
      agent: toAgent(await agents.get(request.workspaceId, request.params.id)),
    }),
  );

  for (const method of ["PUT", "PATCH"] as const) {
    app.route({
      method,
      url: "/api/agents/:id",
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: method === "PUT" ? "putAgent" : "updateAgent",
        summary: "Change an agent",
        description:
          "Fields that are absent keep their value. Tools that the agent has already may name records that were deleted.",
        errors: ["agent_not_found", "forbidden", ...MISSING_TOOLS],
        params,
        body: updateAgentSchema,
        response: { 200: agentResponseSchema },
      },
      handler: async (request) => ({
        ok: true as const,
        agent: toAgent(await agents.update(request.workspaceId, request.params.id, request.body)),
      }),
    });
  }

  app.delete(
    "/api/agents/:id",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "deleteAgent",
        summary: "Delete an agent; teams keep its id",
        description: "Teams that still name it report it in `warnings`.",
        params,
        response: { 200: success({}) },
      },
    },
    async (request) => {
      await agents.remove(request.workspaceId, request.params.id);
      return { ok: true as const };
    },
  );

  app.post(
    "/api/agents/:id/run",
    {
      config: { access: { role: "operator", scope: "runs:write" } },
      schema: {
        tags,
        operationId: "runAgent",
        summary: "Run an agent with an input and wait for its answer",
        description:
          "The agent calls its tools until it has an answer or reaches a limit. The call is cancelled when you disconnect.",
        errors: ["agent_stopped", "limit_reached", "llm_not_configured", "model_failed"],
        params,
        body: runAgentSchema,
        response: { 200: agentRunResponseSchema },
      },
    },
    async (request, reply) => {
      const agent = await agents.get(request.workspaceId, request.params.id);
      const gone = new AbortController();
      // The client has disconnected: the model need not finish.
      reply.raw.once("close", () => gone.abort());
      const { text, usage, answeredBy } = await runAgent({
        agent,
        messages: toPrompt(request.body.input as JsonValue),
        context: { ownerId: request.workspaceId, trigger: "manual", depth: 0 },
        signal: gone.signal,
      });
      return { ok: true as const, output: text, ...spentFields(usage), model: answeredBy };
    },
  );
}

function toAgent({ ownerId: _owner, createdAt, updatedAt, ...agent }: AgentRecord): Agent {
  return { ...agent, createdAt: toIso(createdAt), updatedAt: toIso(updatedAt) };
}
