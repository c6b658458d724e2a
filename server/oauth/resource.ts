import type { AccessScope } from "../../contract/keys.ts";

/** The protected resource of the authorization server: the MCP server. */
const RESOURCE_PATH = "/mcp";
export const RESOURCE_SCOPE: AccessScope = "mcp";

/** The audience of every access token. `baseUrl` is PUBLIC_URL, else the address of the request. */
export function resourceOf(baseUrl: string): string {
  return baseUrl + RESOURCE_PATH;
}

/** RFC 9728: the well-known part goes between the host and the path of the resource. */
export function resourceMetadataUrlOf(baseUrl: string): string {
  const { origin, pathname } = new URL(resourceOf(baseUrl));
  return `${origin}/.well-known/oauth-protected-resource${pathname}`;
}
