import { createServer, type AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { startOauthProvider } from "../support/oauth-provider.ts";
import { registerAt } from "../support/registered-user.ts";
import { startService } from "../support/service-process.ts";
import { useTemporaryFolder } from "../support/test-app.ts";

/** The address of the callback must be the same after the restart. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test("a kill during a refresh with rotation: the next process refreshes, or says that a login is needed", async () => {
  const dataDir = await useTemporaryFolder();
  const settings = {
    DATA_DIR: dataDir,
    ALLOW_PRIVATE_NETWORK: "true",
    ALLOW_REGISTRATION: "true",
    PORT: String(await freePort()),
  };
  const redirectUri = `http://127.0.0.1:${settings.PORT}/connections/callback`;
  const providers = {
    before: await startOauthProvider(redirectUri),
    after: await startOauthProvider(redirectUri),
  };
  onTestFinished(() =>
    Promise.all(Object.values(providers).map((each) => each.close())).then(() => undefined),
  );
  const first = startService(settings);
  const user = await registerAt(await first.ready());
  const { call } = user;
  type When = keyof typeof providers;
  async function authorize(when: When, id: string) {
    const { authorizationUrl } = await call(`/api/connections/${id}/authorize`, {});
    const { connection } = await call(
      "/api/connections/finish",
      await providers[when].consent(authorizationUrl),
    );
    expect(connection).toMatchObject({ id, status: "connected" });
  }
  async function start(when: When, connection: string): Promise<string> {
    const step = { stepId: "call", type: "http", url: providers[when].resource, connection, maxRetries: 0 };
    const { workflow } = await call("/api/workflows", { name: when, metadata: { steps: [step], edges: [] } });
    return (await call(`/api/workflows/${workflow.id}/run`, {})).taskId;
  }
  const ended = async (taskId: string) => {
    await expect
      .poll(async () => (await call(`/api/tasks/${taskId}`)).task.status, { timeout: 90_000 })
      .toMatch(/completed|failed/);
    return (await call(`/api/tasks/${taskId}`)).task;
  };

  const runs: Record<string, { connection: string; taskId: string }> = {};
  for (const when of ["before", "after"] as const) {
    const { connection } = await call("/api/connections", providers[when].connection);
    await authorize(when, connection.id);
    await providers[when].expireAccess();
    const held = new Promise<void>((resolve) => providers[when].holdRefresh(when, resolve));
    runs[when] = { connection: connection.id, taskId: await start(when, connection.id) };
    await held;
  }
  await first.stop("SIGKILL");

  const second = startService(settings);
  user.address = await second.ready();
  // The server had not used the refresh token: it is used now.
  expect(await ended(runs["before"]!.taskId)).toMatchObject({ status: "completed" });
  // It had, and its response with the next one was lost: only a login helps, and the connection says so.
  expect(await ended(runs["after"]!.taskId)).toMatchObject({
    status: "failed",
    error: { code: "connection_authorization_required" },
  });
  const { connection } = await call(`/api/connections/${runs["after"]!.connection}`);
  expect(connection).toMatchObject({
    status: "authorization_needed",
    problem: { message: expect.stringContaining("invalid_grant") },
  });
  await authorize("after", connection.id);
  expect(await ended(await start("after", connection.id))).toMatchObject({ status: "completed" });
  expect(await second.stop()).toBe(0);
});
