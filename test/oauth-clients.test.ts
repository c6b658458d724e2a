import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";
import type { OAuthClientProvider } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import type { Clock } from "../server/lib/clock.ts";
import { systemClock } from "../server/lib/clock.ts";
import { allow } from "./support/oauth.ts";
import { registerUser, useTestApp } from "./support/test-app.ts";

type Stored = Parameters<OAuthClientProvider["saveTokens"]>[0];
type Discovery = Parameters<NonNullable<OAuthClientProvider["saveDiscoveryState"]>>[0];
type StoredClient = Parameters<NonNullable<OAuthClientProvider["saveClientInformation"]>>[0];

/** What an MCP client on the user's computer keeps between its requests. */
class Provider implements OAuthClientProvider {
  readonly redirectUrl = "http://127.0.0.1:33418/callback";
  readonly clientMetadata = {
    client_name: "SDK client",
    redirect_uris: [this.redirectUrl],
    grant_types: ["authorization_code", "refresh_token"],
    token_endpoint_auth_method: "none",
  };
  client: StoredClient | undefined;
  stored: Stored | undefined;
  discovery: Discovery | undefined;
  verifier = "";
  asked: URL | undefined;

  state = () => "state-1";
  clientInformation = () => this.client;
  saveClientInformation = (client: StoredClient) => void (this.client = client);
  tokens = () => this.stored;
  saveTokens = (tokens: Stored) => void (this.stored = tokens);
  saveCodeVerifier = (verifier: string) => void (this.verifier = verifier);
  codeVerifier = () => this.verifier;
  saveDiscoveryState = (found: Discovery) => void (this.discovery = found);
  discoveryState = () => this.discovery;
  invalidateCredentials = (scope: string) => void (scope === "tokens" && (this.stored = undefined));
  /** A real client opens the browser here. */
  redirectToAuthorization = (url: URL) => void (this.asked = url);
}

test("the official MCP client discovers, registers, asks for consent, calls, refreshes and stops when it is disconnected", async () => {
  let lateMs = 0;
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + lateMs };
  const app = await useTestApp({}, { clock });
  const url = new URL("/mcp", await app.listen());
  const alice = await registerUser(app, "alice");
  const onService = { host: url.host };
  const provider = new Provider();
  const connect = async (): Promise<Client> => {
    const client = new Client({ name: "sdk", version: "1.0.0" });
    await client.connect(new StreamableHTTPClientTransport(url, { authProvider: provider }));
    return client;
  };

  const transport = new StreamableHTTPClientTransport(url, { authProvider: provider });
  await expect(new Client({ name: "sdk", version: "1.0.0" }).connect(transport)).rejects.toThrow(
    UnauthorizedError,
  );
  const { origin, pathname, searchParams } = provider.asked ?? new URL("about:blank");
  expect([origin, pathname]).toEqual([url.origin, "/oauth/authorize"]);
  const query = Object.fromEntries(searchParams);
  expect(query).toMatchObject({ scope: "mcp", resource: url.href, code_challenge_method: "S256" });
  await transport.finishAuth(await allow(alice, query, onService));

  const client = await connect();
  expect((await client.listTools()).tools).toEqual(expect.any(Array));
  await client.close();
  const [connected] = (await alice.get("/api/connected-apps")).body.apps;
  expect(connected).toMatchObject({
    name: "SDK client",
    target: "127.0.0.1:33418",
    lastUsedAt: expect.any(String),
  });

  const first = provider.stored?.access_token;
  lateMs = 2 * 3600 * 1000;
  await (await connect()).close();
  expect(provider.stored?.access_token).not.toBe(first);

  await alice.delete(`/api/connected-apps/${connected.id}`);
  provider.asked = undefined;
  await expect(connect()).rejects.toThrow(UnauthorizedError);
  // It asks the user again.
  expect(provider.asked).toBeInstanceOf(URL);
});
