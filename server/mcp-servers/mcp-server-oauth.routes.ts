import type { FastifyRequest } from "fastify";
import * as z from "zod";
import {
  authorizeResponseSchema,
  finishAuthorizationSchema,
  mcpServerResponseSchema,
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

export interface McpServerOauthRoutesDeps {
  servers: McpServers;
  offers: Offers;
  /** Public base URL; defaults to the host of the request. */
  publicUrl: string | undefined;
}

/** The OAuth authorization of stored MCP servers. */
export function mcpServerOauthRoutes(
  app: HttpServer,
  { servers, offers, publicUrl }: McpServerOauthRoutesDeps,
): void {
  const baseOf = createBaseUrl(publicUrl);
  const redirectUrlOf = (request: unknown) => `${baseOf(request as FastifyRequest)}${CALLBACK_PATH}`;
  // Authorization servers fetch the document, so the address must be public and encrypted.
  const clientMetadataUrl = publicUrl?.startsWith("https://") ? `${publicUrl}${METADATA_PATH}` : undefined;

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
}
