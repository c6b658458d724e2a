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

/** Scheme and host are compared without case, and a trailing slash does not count. */
export function isSameResource(given: string, resource: string): boolean {
  if (!URL.canParse(given) || given.includes("#")) return false;
  return new URL(given).href.replace(/\/$/, "") === new URL(resource).href;
}

/** Whether a stored audience is this service. Without PUBLIC_URL every name that it is served under counts. */
export function createAudienceCheck(
  publicUrl: string | undefined,
  isAllowedHost: (host: string) => boolean,
): (resource: string) => boolean {
  if (publicUrl !== undefined) return (resource) => resource === resourceOf(publicUrl);
  return (resource) => {
    const { host, origin } = new URL(resource);
    return resource === resourceOf(origin) && isAllowedHost(host);
  };
}
