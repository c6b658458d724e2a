import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { mcpHandler } from "./http-servers.ts";

export interface OauthServerOptions {
  /** Sent as `iss` with the code; the issuer itself by default. */
  iss?: string;
  /** Replaces fields of the metadata of the authorization server. */
  metadata?: Record<string, unknown>;
  /** Scope that every call needs; a token without it is refused with 403. */
  requiredScope?: string;
}

export interface OauthServer {
  url: string;
  origin: string;
  /** Form fields of all calls of the token endpoint. */
  tokenCalls: Record<string, string>[];
  registrations: Record<string, unknown>[];
  /** Makes all access tokens invalid. */
  expireAccessTokens(): void;
  /** Answers the next calls of the token endpoint with an error. */
  refuseTokens(error: string | undefined): void;
  /** The user's consent: follows the address to the code in the redirect. */
  consent(authorizationUrl: string): Promise<Record<string, string>>;
  options: OauthServerOptions;
}

/** An MCP server with its authorization server in one: discovery, registration, PKCE, rotating refresh tokens. */
export async function startOauthServer(options: OauthServerOptions = {}): Promise<OauthServer> {
  const codes = new Map<string, URLSearchParams>();
  const access = new Map<string, string>();
  let refreshToken: string | undefined;
  let counter = 0;
  let refusal: string | undefined;
  const registrations: OauthServer["registrations"] = [];
  const tokenCalls: OauthServer["tokenCalls"] = [];

  function issue(scope: string) {
    counter += 1;
    refreshToken = `refresh-${counter}`;
    access.set(`access-${counter}`, scope);
    return {
      access_token: `access-${counter}`,
      refresh_token: refreshToken,
      token_type: "Bearer",
      expires_in: 3600,
      scope,
    };
  }

  function exchange(form: Record<string, string>) {
    if (refusal !== undefined) return { error: refusal };
    if (form["grant_type"] === "refresh_token") {
      const isCurrent = form["refresh_token"] === refreshToken;
      return isCurrent ? issue("read") : { error: "invalid_grant" };
    }
    const request = codes.get(form["code"] ?? "");
    codes.delete(form["code"] ?? "");
    const challenge = createHash("sha256")
      .update(form["code_verifier"] ?? "")
      .digest("base64url");
    return request?.get("code_challenge") === challenge
      ? issue(request.get("scope") ?? "read")
      : { error: "invalid_grant" };
  }

  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const { pathname, searchParams } = new URL(request.url ?? "/", origin);
    if (pathname.startsWith("/.well-known/oauth-protected-resource"))
      return json(response, { resource: `${origin}/mcp`, authorization_servers: [origin] });
    if (pathname === "/.well-known/oauth-authorization-server")
      return json(response, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
        authorization_response_iss_parameter_supported: true,
        ...options.metadata,
      });
    if (pathname === "/register") {
      const client = JSON.parse(await text(request)) as Record<string, unknown>;
      registrations.push(client);
      return json(response, { ...client, client_id: "client-1", client_secret: "client-secret-1" }, 201);
    }
    if (pathname === "/authorize") {
      const code = `code-${codes.size + 1}-${counter}`;
      codes.set(code, searchParams);
      const back = new URL(searchParams.get("redirect_uri") ?? "");
      back.search = new URLSearchParams({
        code,
        state: searchParams.get("state") ?? "",
        iss: options.iss ?? origin,
      }).toString();
      return response.writeHead(302, { location: back.href }).end();
    }
    if (pathname === "/token") {
      const form = Object.fromEntries(new URLSearchParams(await text(request)));
      tokenCalls.push(form);
      const answer = exchange(form);
      return json(response, answer, "error" in answer ? 400 : 200);
    }
    return guard(request, response);
  }

  function guard(request: IncomingMessage, response: ServerResponse): unknown {
    const token = request.headers.authorization?.replace("Bearer ", "") ?? "";
    const scope = access.get(token);
    const metadata = `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
    if (scope === undefined)
      return response.writeHead(401, { "www-authenticate": `Bearer ${metadata}` }).end();
    const { requiredScope } = options;
    if (requiredScope !== undefined && !scope.split(" ").includes(requiredScope)) {
      const challenge = `Bearer error="insufficient_scope", scope="${requiredScope}", ${metadata}`;
      return response.writeHead(403, { "www-authenticate": challenge }).end();
    }
    return mcpHandler(request, response);
  }

  return {
    url: `${origin}/mcp`,
    origin,
    tokenCalls,
    registrations,
    options,
    expireAccessTokens: () => access.clear(),
    refuseTokens: (error) => (refusal = error),
    async consent(authorizationUrl) {
      const response = await fetch(authorizationUrl, { redirect: "manual" });
      return Object.fromEntries(new URL(response.headers.get("location") ?? "").searchParams);
    },
  };
}

function json(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
