import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";
import { followRedirects } from "./follow-redirects.ts";

const CLIENT_ID = "baton";
const CLIENT_SECRET = "hush-hush-provider";

export interface OauthProvider {
  url: string;
  /** As the body of `POST /api/connections`: code with PKCE and rotating refresh tokens. */
  connection: Record<string, unknown>;
  /** The same with client credentials. */
  clientCredentials: Record<string, unknown>;
  /** The path of a request that needs a token. */
  resource: string;
  /** Grant types of the token requests so far. */
  tokenRequests: string[];
  /** Goes the way of the browser; returns what the page receives. */
  consent(authorizationUrl: string): Promise<Record<string, string>>;
  /** Ends the tokens of every user, as one does at the service. */
  revokeAll(): Promise<void>;
  /** Access tokens end; refresh tokens stay. */
  expireAccess(): Promise<void>;
  /** Called with the next refresh, before the server handles it or when its response is written; it never responds. */
  holdRefresh(when: "before" | "after", onHeld: () => void): void;
  close(): Promise<void>;
}

/** A real authorization server on loopback: PKCE is required, refresh tokens rotate, a reused one ends the grant. */
export async function startOauthProvider(redirectUri: string): Promise<OauthProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const resource = `${url}/api`;
  const grants = new Set<string>();
  const accessTokens = new Set<string>();
  const tokenRequests: string[] = [];
  let held: { when: "before" | "after"; onHeld(): void } | undefined;
  const provider = new Provider(url, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [redirectUri],
        grant_types: ["authorization_code", "refresh_token", "client_credentials"],
      },
    ],
    cookies: { keys: ["test"] },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: () => Promise.resolve(true),
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      introspection: { enabled: true },
      revocation: { enabled: true },
    },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => ({ accountId: id, claims: () => Promise.resolve({ sub: id }) }),
    async loadExistingGrant(context) {
      const { client, session, provider: own, result } = context.oidc;
      const accountId = result?.login?.accountId ?? session!.accountId!;
      const grant = new own.Grant({ clientId: client!.clientId, accountId });
      grant.addOIDCScope("openid");
      grants.add(await grant.save());
      return grant;
    },
  });
  provider.on("access_token.saved", (token) => void accessTokens.add(token.jti));
  provider.on("client_credentials.saved", (token) => void accessTokens.add(token.jti));
  const handle = provider.callback();
  server.on("request", (request, response) => void answer(request, response));

  /** The service of the provider: answers requests with a valid token. */
  async function serveResource(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const token = (request.headers.authorization ?? "").replace(/^Bearer /, "");
    const body = new URLSearchParams({ token, client_id: CLIENT_ID, client_secret: CLIENT_SECRET });
    const { active } = (await (
      await fetch(`${url}/token/introspection`, { method: "POST", body })
    ).json()) as {
      active: boolean;
    };
    response
      .writeHead(active ? 200 : 401, { "content-type": "application/json" })
      .end(JSON.stringify({ active }));
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "";
    if (path.startsWith("/interaction/"))
      return provider.interactionFinished(request, response, { login: { accountId: "carol" } });
    if (path === "/api") return serveResource(request, response);
    if (path !== "/token") return void handle(request, response);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const grantType = new URLSearchParams(text).get("grant_type") ?? "";
    tokenRequests.push(grantType);
    const hold = grantType === "refresh_token" ? held : undefined;
    if (hold !== undefined) held = undefined;
    if (hold?.when === "before") return hold.onHeld();
    if (hold !== undefined)
      response.end = () => {
        hold.onHeld();
        return response;
      };
    // The body was read already; the provider accepts it parsed.
    Object.assign(request, { body: Object.fromEntries(new URLSearchParams(text)) });
    void handle(request, response);
  }

  const given = {
    name: "Provider",
    kind: "oauth2",
    hosts: [new URL(url).host],
    secrets: { clientSecret: CLIENT_SECRET },
  };
  const settings = { tokenUrl: `${url}/token`, clientId: CLIENT_ID };
  return {
    url,
    resource,
    tokenRequests,
    connection: { ...given, settings: { ...settings, authorizationUrl: `${url}/auth`, scopes: ["openid"] } },
    clientCredentials: { ...given, settings: { ...settings, grant: "client_credentials" } },
    async consent(authorizationUrl) {
      const returned = await followRedirects(authorizationUrl, redirectUri);
      return Object.fromEntries(returned.searchParams);
    },
    async revokeAll() {
      for (const grantId of grants)
        for (const model of [provider.AccessToken, provider.RefreshToken])
          await model.revokeByGrantId(grantId);
    },
    async expireAccess() {
      for (const id of accessTokens) {
        await (await provider.AccessToken.find(id))?.destroy();
        await (await provider.ClientCredentials.find(id))?.destroy();
      }
    },
    holdRefresh: (when, onHeld) => void (held = { when, onHeld }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
