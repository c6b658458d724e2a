import { expect, onTestFinished, test } from "vitest";
import { startOauthProvider } from "./support/oauth-provider.ts";
import { resultOf, runSteps } from "./support/run-steps.ts";
import { shareApp } from "./support/shared-app.ts";
import { sendJson, startVendor } from "./support/vendor.ts";

const { alice } = await shareApp(["alice"]);

/** The API at `server` as an app; its token URL is relative, and a user could sign in, too. */
async function importApi(server: string, scopes: object = {}): Promise<string> {
  const flow = { tokenUrl: "/token", scopes };
  const flows = { authorizationCode: { ...flow, authorizationUrl: "/auth" }, clientCredentials: flow };
  const document = {
    openapi: "3.1.0",
    info: { title: "Orders" },
    servers: [{ url: server }],
    components: { securitySchemes: { oauth: { type: "oauth2", flows } } },
    security: [{ oauth: [] }],
    paths: { "/api": { get: { operationId: "listOrders" } } },
  };
  const { status, body } = await alice.post("/api/apps/import", { document: JSON.stringify(document) });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.app.id;
}

const connect = (app: string, settings: object, clientSecret = "hush-hush-provider") =>
  alice.post("/api/connections", {
    kind: "oauth2",
    name: "Orders",
    app,
    settings: { grant: "client_credentials", clientId: "baton", ...settings },
    secrets: { clientSecret },
  });
const read = async (id: string) => (await alice.get(`/api/connections/${id}`)).body.connection;
const run = (app: string, connection: string) =>
  runSteps(
    alice,
    [{ stepId: "list", type: "app", app, action: "list_orders", connection, input: {}, maxRetries: 0 }],
    {},
  );
const outputOf = (task: Parameters<typeof resultOf>[0]) => resultOf(task, "list").output;

test("client credentials of a document: tested, used, and a new token after the old one has ended", async () => {
  const provider = await startOauthProvider("http://localhost/connections/callback");
  onTestFinished(() => provider.close());
  const app = await importApi(provider.url);
  const { auth } = (await alice.get(`/api/apps/${app}`)).body.app;
  expect(auth).toMatchObject([
    { kind: "oauth2", authorizationUrl: `${provider.url}/auth` },
    { kind: "oauth2", grant: "client_credentials", tokenUrl: `${provider.url}/token` },
  ]);
  const created = await connect(app, { audience: "https://orders.example" });
  const { connection } = created.body;
  expect(connection).toMatchObject({
    status: "untested",
    hosts: [new URL(provider.url).host],
    settings: { grant: "client_credentials", tokenUrl: `${provider.url}/token`, clientId: "baton" },
  });
  expect(connection.settings).not.toHaveProperty("authorizationUrl");
  expect((await alice.post(`/api/connections/${connection.id}/test`, {})).body).toMatchObject({
    status: "connected",
  });
  expect(outputOf(await run(app, connection.id))).toEqual({ active: true });
  // One token for the test and the run. The server forgets it: a 401, another token, the request again.
  expect(provider.tokenRequests).toEqual(["client_credentials"]);
  await provider.expireAccess();
  const repeated = await run(app, connection.id);
  expect(outputOf(repeated)).toEqual({ active: true });
  expect(provider.tokenRequests).toEqual(["client_credentials", "client_credentials"]);
  expect(JSON.stringify([created.body, repeated, await read(connection.id)])).not.toContain("hush-hush");

  const wrong = (await connect(app, {}, "wrong-secret")).body.connection;
  expect((await run(app, wrong.id)).error).toMatchObject({ code: "connection_authorization_required" });
  expect(await read(wrong.id)).toMatchObject({
    status: "failing",
    problem: { message: expect.stringContaining("invalid_client") },
  });
});

test("scopes and the audience are requested; a token for another audience is not used", async () => {
  const forms: URLSearchParams[] = [];
  const jwt = (aud: string) =>
    `e30.${Buffer.from(JSON.stringify({ aud, n: forms.length })).toString("base64url")}.c2ln`;
  let audience = "https://evil.example";
  let valid: string | undefined;
  const vendor = await startVendor((request, response) => {
    if (request.url !== "/token") {
      const isValid = request.headers.authorization === `Bearer ${valid}`;
      return sendJson(response, isValid ? 200 : 401, { isValid });
    }
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      forms.push(new URLSearchParams(Buffer.concat(chunks).toString()));
      valid = jwt(audience);
      sendJson(response, 200, { access_token: valid, token_type: "Bearer", expires_in: 3600 });
    });
  });
  const app = await importApi(vendor.url, { "orders:read": "Read", "orders:write": "Write" });
  const wanted = { audience: "https://orders.example", clientAuthentication: "body" };
  const { id } = (await connect(app, wanted)).body.connection;

  expect((await run(app, id)).error).toMatchObject({
    code: "connection_authorization_failed",
    message: expect.stringContaining("another audience"),
  });
  expect(vendor.requests.map(({ url }) => url)).toEqual(["/token"]);
  audience = "https://orders.example";
  expect(outputOf(await run(app, id))).toEqual({ isValid: true });
  expect(Object.fromEntries(forms.at(-1)!)).toEqual({
    grant_type: "client_credentials",
    scope: "orders:read orders:write",
    audience: "https://orders.example",
    client_id: "baton",
    client_secret: "hush-hush-provider",
  });
  // Ended at the service: the new token is for another audience, so the request is not repeated with it.
  audience = "https://evil.example";
  valid = undefined;
  vendor.requests.splice(0);
  expect((await run(app, id)).error).toMatchObject({ code: "connection_authorization_failed" });
  expect(vendor.requests.map(({ url }) => url)).toEqual(["/api", "/token"]);
  audience = "https://orders.example";
  expect(outputOf(await run(app, id))).toEqual({ isValid: true });

  const fewer = (await connect(app, { scopes: ["orders:read"] })).body.connection;
  await run(app, fewer.id);
  expect(forms.at(-1)!.get("scope")).toBe("orders:read");
});
