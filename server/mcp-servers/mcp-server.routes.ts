import type { FastifyRequest } from "fastify";
import * as z from "zod";
import { pageQuerySchema, success } from "../../contract/api.ts";
import {
  authorizeResponseSchema,
  createMcpServerSchema,
  finishAuthorizationSchema,
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
import { createBaseUrl } from "../oauth/base-url.ts";
import { type McpServers, toMcpServer } from "./mcp-servers.ts";
import { clientMetadata } from "./oauth-flow.ts";
import type { Offers } from "./offers.ts";

const tags = ["mcp servers"];
const params = z.object({ id: z.string() });
/** A page of the browser: the authorization server sends the user there. */
const CALLBACK_PATH = "/settings/mcp-servers/callback";
const METADATA_PATH = "/client-metadata.json";

export interface McpServerRoutesDeps {
  servers: McpServers;
  offers: Offers;
  /** Public base URL; defaults to the host of the request. */
  publicUrl: string | undefined;
  /** The names of the stdio servers that this user may use. */
  stdioNames(ownerId: string): Promise<string[]>;
}

export function mcpServerRoutes(
  app: HttpServer,
  { servers, offers, publicUrl, stdioNames }: McpServerRoutesDeps,
): void {
  const baseOf = createBaseUrl(publicUrl);
  const redirectUrlOf = (request: unknown) => `${baseOf(request as FastifyRequest)}${CALLBACK_PATH}`;
  // Authorization servers fetch the document, so the address must be public and encrypted.
  const clientMetadataUrl = publicUrl?.startsWith("https://") ? `${publicUrl}${METADATA_PATH}` : undefined;

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

  app.post(
    "/api/mcp-servers/callback",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "finishMcpAuthorization",
        summary: "Finish the authorization of an MCP server",
        description:
          "The page calls it with what the authorization server returned. Each `state` works once, for the user who started it.",
        body: finishAuthorizationSchema,
        response: { 200: mcpServerResponseSchema },
      },
    },
    async (request) => {
      const server = await servers.finish(request.workspaceId, request.body);
      offers.forget(server.id);
      return { ok: true as const, server: toMcpServer(server) };
    },
  );

  app.get(
    METADATA_PATH,
    {
      config: { auth: "public" },
      schema: {
        tags,
        security: [],
        operationId: "getMcpClientMetadata",
        summary: "Read the OAuth client metadata of this service",
        description: "A Client ID Metadata Document, for authorization servers of MCP servers.",
        response: { 200: z.record(z.string(), z.unknown()) },
      },
    },
    async (request) => {
      const redirectUrl = redirectUrlOf(request);
      return {
        client_id: redirectUrl.replace(CALLBACK_PATH, METADATA_PATH),
        ...clientMetadata(redirectUrl),
        token_endpoint_auth_method: "none",
      };
    },
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
    "/api/mcp-servers/:id/authorize",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "authorizeMcpServer",
        summary: "Start the OAuth authorization of an MCP server",
        description: "It expires after 15 minutes. A new one replaces it.",
        params,
        response: { 200: authorizeResponseSchema },
      },
    },
    async (request) => {
      const settings = { redirectUrl: redirectUrlOf(request), clientMetadataUrl };
      const { id } = request.params;
      const authorizationUrl = await servers.authorize(request.workspaceId, id, settings);
      return { ok: true as const, authorizationUrl };
    },
  );

  app.post(
    "/api/mcp-servers/:id/disconnect",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "disconnectMcpServer",
        summary: "Forget the OAuth tokens of an MCP server",
        description: "The next call needs a new authorization.",
        params,
        response: { 200: mcpServerResponseSchema },
      },
    },
    async ({ workspaceId, params: { id } }) => {
      offers.forget(id);
      return { ok: true as const, server: toMcpServer(await servers.disconnect(workspaceId, id)) };
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
