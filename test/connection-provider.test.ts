import { expect, onTestFinished, test } from "vitest";
import { startOauthProvider } from "./support/oauth-provider.ts";
import { shareApp } from "./support/shared-app.ts";

const REDIRECT = "http://localhost/connections/callback";
const { alice } = await shareApp(["alice"], { ALLOW_PRIVATE_NETWORK: "true" });
const provider = await startOauthProvider(REDIRECT);

async function connect(given: object): Promise<string> {
  const { status, body } = await alice.post("/api/connections", given);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.connection.id;
}

async function authorize(id: string): Promise<void> {
  const { body } = await alice.post(`/api/connections/${id}/authorize`, {});
  const finished = await alice.post("/api/connections/finish", await provider.consent(body.authorizationUrl));
  expect(finished.body.connection, JSON.stringify(finished.body)).toMatchObject({ id, status: "connected" });
}

async function call(connection: string) {
  const step = { stepId: "call", type: "http", url: provider.resource, connection, maxRetries: 0 };
  const created = await alice.post("/api/workflows", { name: "x", metadata: { steps: [step], edges: [] } });
  const { body } = await alice.post(`/api/workflows/${created.body.workflow.id}/run?wait=true`, {});
  return (await alice.get(`/api/tasks/${body.taskId}`)).body.task;
}

const statusOf = async (id: string) => (await alice.get(`/api/connections/${id}`)).body.connection.status;

test("a connection works with an independent authorization server: PKCE, rotation, revocation, client credentials", async () => {
  onTestFinished(() => provider.close());
  const id = await connect(provider.connection);
  await authorize(id);
  expect(await call(id)).toMatchObject({ status: "completed", result: { output: { active: true } } });

  // Each refresh uses the token of the one before: a reused one would end the grant.
  for (let refreshes = 0; refreshes < 3; refreshes++) {
    await provider.expireAccess();
    expect(await call(id)).toMatchObject({ status: "completed" });
  }
  expect(provider.tokenRequests).toEqual(["authorization_code", ...Array<string>(3).fill("refresh_token")]);

  await provider.revokeAll();
  expect((await call(id)).error).toMatchObject({ code: "connection_authorization_required" });
  expect(await statusOf(id)).toBe("authorization_needed");
  await authorize(id);
  expect(await call(id)).toMatchObject({ status: "completed" });

  const machine = await connect(provider.clientCredentials);
  expect(await call(machine)).toMatchObject({ status: "completed" });
  expect(provider.tokenRequests.at(-1)).toBe("client_credentials");
});
