import type { FastifyRequest, FastifySchema } from "fastify";
import { authorizationServerSchema, protectedResourceSchema } from "../../contract/oauth.ts";
import { answerPreflights, anyOrigin } from "../http/any-origin.ts";
import type { HttpServer } from "../http/server.ts";
import { authorizationServerMetadata, protectedResourceMetadata } from "./metadata.ts";

const tags = ["oauth"];
const route = { config: { ...anyOrigin.config, auth: "public" as const }, onRequest: anyOrigin.onRequest };

export interface MetadataRoutesDeps {
  baseUrlOf(request: FastifyRequest): string;
  /** Path of PUBLIC_URL, which clients put behind the well-known part; empty without one. */
  basePath: string;
}

/** Where clients look for the authorization server, in the order of the MCP specification. */
export function metadataRoutes(app: HttpServer, { baseUrlOf, basePath }: MetadataRoutesDeps): void {
  /** All paths serve the same; the OpenAPI document has the first. */
  function serve(
    paths: readonly string[],
    schema: FastifySchema,
    metadataOf: (baseUrl: string) => object,
  ): void {
    for (const [position, url] of [...new Set(paths)].entries()) {
      answerPreflights(app, url, ["GET"]);
      app.get(
        url,
        { ...route, schema: { ...(position === 0 ? {} : { hide: true }), tags, security: [], ...schema } },
        (request) => metadataOf(baseUrlOf(request)),
      );
    }
  }

  serve(
    ["", "/mcp", `${basePath}/mcp`].map((path) => `/.well-known/oauth-protected-resource${path}`),
    {
      operationId: "getProtectedResourceMetadata",
      summary: "Read the metadata of the MCP server as a protected resource (RFC 9728)",
      description:
        "Also served with the path of the MCP server: `/.well-known/oauth-protected-resource/mcp`.",
      response: { 200: protectedResourceSchema },
    },
    protectedResourceMetadata,
  );
  serve(
    ["oauth-authorization-server", "openid-configuration"].flatMap((name) => [
      `/.well-known/${name}`,
      `/.well-known/${name}${basePath}`,
    ]),
    {
      operationId: "getAuthorizationServerMetadata",
      summary: "Read the metadata of the authorization server (RFC 8414)",
      description: "Also served as `/.well-known/openid-configuration`, for clients that look only there.",
      response: { 200: authorizationServerSchema },
    },
    authorizationServerMetadata,
  );
}
