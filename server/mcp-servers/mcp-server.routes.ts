import * as z from "zod";
import { pageQuerySchema, success } from "../../contract/api.ts";
import {
  createMcpServerSchema,
  mcpPromptListResponseSchema,
  mcpResourceListResponseSchema,
  mcpServerListResponseSchema,
  mcpServerResponseSchema,
  mcpServerTestResponseSchema,
  mcpServerUsesResponseSchema,
  mcpToolListResponseSchema,
  stdioServerListResponseSchema,
  updateMcpServerSchema,
} from "../../contract/mcp-servers.ts";
import type { HttpServer } from "../http/server.ts";
import { type McpServers, toMcpServer } from "./mcp-servers.ts";
import type { Offers } from "./offers.ts";

const tags = ["mcp servers"];
const params = z.object({ id: z.string() });

export interface McpServerRoutesDeps {
  servers: McpServers;
  offers: Offers;
  /** The names of the stdio servers that this user may use. */
  stdioNames(ownerId: string): Promise<string[]>;
}

export function mcpServerRoutes(app: HttpServer, { servers, offers, stdioNames }: McpServerRoutesDeps): void {
  app.post(
    "/api/mcp-servers",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "createMcpServer",
        summary: "Store an MCP server",
        description: "Nothing is called. Headers and client secrets are stored encrypted and never returned.",
        body: createMcpServerSchema,
        response: { 201: mcpServerResponseSchema },
      },
    },
    async (request, reply) => {
      const server = toMcpServer(await servers.create(request.workspaceId, request.body));
      return reply.status(201).send({ ok: true, server });
    },
  );

  app.get(
    "/api/mcp-servers",
    {
      config: { access: { role: "builder", scope: "workflows:read" } },
      schema: {
        tags,
        operationId: "listMcpServers",
        summary: "List your MCP servers, newest first",
        description: "Without their headers, secrets and tokens.",
        querystring: pageQuerySchema,
        response: { 200: mcpServerListResponseSchema },
      },
    },
    async (request) => {
      const { items, nextCursor } = await servers.list(request.workspaceId, request.query);
      return { ok: true as const, servers: items.map(toMcpServer), nextCursor };
    },
  );

  app.get(
    "/api/mcp-servers/stdio",
    {
      config: { access: { role: "builder", scope: "workflows:read" } },
      schema: {
        tags,
        operationId: "listStdioServers",
        summary: "List the servers over stdio that the operator allows",
        description: "They are programs on the machine of this service, set by `MCP_STDIO_SERVERS`.",
        response: { 200: stdioServerListResponseSchema },
      },
    },
    async (request) => ({ ok: true as const, names: await stdioNames(request.workspaceId) }),
  );

  app.get(
    "/api/mcp-servers/:id",
    {
      config: { access: { role: "builder", scope: "workflows:read" } },
      schema: {
        tags,
        operationId: "getMcpServer",
        summary: "Read an MCP server",
        description: "Without its headers, secrets and tokens.",
        params,
        response: { 200: mcpServerResponseSchema },
      },
    },
    async ({ workspaceId, params: { id } }) => ({
      ok: true as const,
      server: toMcpServer(await servers.get(workspaceId, id)),
    }),
  );

  app.patch(
    "/api/mcp-servers/:id",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "updateMcpServer",
        summary: "Update an MCP server",
        description: "A URL of another host drops the headers and tokens, which were meant for the old one.",
        params,
        body: updateMcpServerSchema,
        response: { 200: mcpServerResponseSchema },
      },
    },
    async ({ workspaceId, params: { id }, body }) => {
      offers.forget(id);
      return { ok: true as const, server: toMcpServer(await servers.update(workspaceId, id, body)) };
    },
  );

  app.delete(
    "/api/mcp-servers/:id",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "deleteMcpServer",
        summary: "Delete an MCP server with its credentials",
        description: "Steps and agents that still name it fail when they run.",
        params,
        response: { 200: success({}) },
      },
    },
    async ({ workspaceId, params: { id } }) => {
      await servers.remove(workspaceId, id);
      offers.forget(id);
      return { ok: true as const };
    },
  );

  app.post(
    "/api/mcp-servers/:id/test",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "testMcpServer",
        summary: "Connect to an MCP server and count its tools",
        description: "A server that does not answer is a 200 with the error, so that a form can show it.",
        params,
        response: { 200: mcpServerTestResponseSchema },
      },
    },
    async ({ workspaceId, params: { id } }) => ({
      ok: true as const,
      test: await offers.test(workspaceId, id),
    }),
  );

  app.get(
    "/api/mcp-servers/:id/tools",
    {
      config: { access: { role: "builder", scope: "workflows:read" } },
      schema: {
        tags,
        operationId: "listMcpTools",
        summary: "List the tools of an MCP server",
        description: "Asks the server, and keeps the answer for a minute.",
        params,
        response: { 200: mcpToolListResponseSchema },
      },
    },
    async ({ workspaceId, params: { id } }) => ({
      ok: true as const,
      tools: await offers.tools(workspaceId, id),
    }),
  );

  app.get(
    "/api/mcp-servers/:id/resources",
    {
      config: { access: { role: "builder", scope: "workflows:read" } },
      schema: {
        tags,
        operationId: "listMcpResources",
        summary: "List the resources and resource templates of an MCP server",
        description: "Asks the server, and keeps the answer for a minute.",
        params,
        response: { 200: mcpResourceListResponseSchema },
      },
    },
    async ({ workspaceId, params: { id } }) => ({
      ok: true as const,
      resources: await offers.resources(workspaceId, id),
    }),
  );

  app.get(
    "/api/mcp-servers/:id/prompts",
    {
      config: { access: { role: "builder", scope: "workflows:read" } },
      schema: {
        tags,
        operationId: "listMcpPrompts",
        summary: "List the prompts of an MCP server",
        description: "Asks the server, and keeps the answer for a minute.",
        params,
        response: { 200: mcpPromptListResponseSchema },
      },
    },
    async ({ workspaceId, params: { id } }) => ({
      ok: true as const,
      prompts: await offers.prompts(workspaceId, id),
    }),
  );

  app.get(
    "/api/mcp-servers/:id/used-by",
    {
      config: { access: { role: "builder", scope: "workflows:read" } },
      schema: {
        tags,
        operationId: "listMcpServerUses",
        summary: "List the workflows and agents that use an MCP server",
        description: "Those that fail once the server is deleted.",
        params,
        response: { 200: mcpServerUsesResponseSchema },
      },
    },
    async ({ workspaceId, params: { id } }) => ({
      ok: true as const,
      ...(await servers.usedBy(workspaceId, id)),
    }),
  );
}
