import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Client, clientOf } from "../support/client.ts";
import { sqlOnServer, useDatabase } from "../support/postgres.ts";
import { runCommand } from "../support/run-command.ts";
import { createTestApp, registerUser, type TestApp, useTemporaryFolder } from "../support/test-app.ts";

/** A stopped instance with events in the logs of a workspace and of the instance, and read and unread notifications. */
async function makeInstance() {
  const folder = await useTemporaryFolder();
  const dataDir = join(folder, "data");
  const app = await createTestApp({}, { dataDir });
  const ada = await registerUser(app, "ada");
  await ada.put("/api/variables/text", { value: { text: 'Ünï "quoted" \\ 漢字 😀', number: 1.5e300 } });
  const { settings } = (await ada.get("/api/notification-settings")).body;
  const changed = await ada.put("/api/notification-settings", { ...settings, mailFrequency: "daily" });
  expect(changed.status).toBe(200);
  for (const name of ["One", "Two"]) {
    const steps = [{ stepId: "call", type: "http", url: "http://127.0.0.1:1/", maxRetries: 0 }];
    const { workflow } = (await ada.post("/api/workflows", { name, metadata: { steps, edges: [] } })).body;
    await ada.post(`/api/workflows/${workflow.id}/run?wait=true`, {});
  }
  const notifications = async () => (await ada.get("/api/notifications")).body.notifications;
  await expect.poll(notifications).toHaveLength(2);
  const [{ id }] = await notifications();
  await ada.post("/api/notifications/read", { ids: [id] });
  const before = await stateOf(ada);
  await app.stop();
  return { folder, dataDir, ada, before };
}

async function stateOf(client: Pick<Client, "get">) {
  const logs = await Promise.all(
    ["/api/audit-events", "/api/admin/audit-events"].map(async (path) => ({
      events: (await client.get(`${path}?limit=200`)).body.events,
      verification: (await client.get(`${path}/verification`)).body.verification,
    })),
  );
  const { notifications, unread } = (await client.get("/api/notifications")).body;
  const { settings } = (await client.get("/api/notification-settings")).body;
  return { logs, notifications, unread, settings };
}

/** The copy has the same logs and notifications, and its chains continue. */
async function expectCopy(
  settings: Record<string, string>,
  dataDir: string,
  { ada, before }: Awaited<ReturnType<typeof makeInstance>>,
): Promise<TestApp> {
  const app = await createTestApp(settings, { dataDir });
  onTestFinished(() => app.stop());
  // The token of the original: a login would add an event.
  const client = clientOf(app.http, ada.token);
  const after = await stateOf(client);
  expect(after).toEqual(before);
  expect(after.logs.map(({ verification }) => verification.valid)).toEqual([true, true]);
  expect(after.notifications.map(({ unread }: { unread: boolean }) => unread)).toEqual([false, true]);
  await client.put("/api/variables/later", { value: 1 });
  const { verification } = (await client.get("/api/audit-events/verification")).body;
  const [workspace] = before.logs;
  expect(verification).toMatchObject({ valid: true, events: workspace!.verification.events + 2 });
  const added = await client.get("/api/audit-events/export?action=putVariable&target=later");
  expect(JSON.parse(added.text.split("\n")[0]!).previousHash).toBe(workspace!.verification.lastHash);
  return app;
}

const FORGERY = "update audit_event set actor_id = 'eve'";

test("a restored backup has the same logs and notifications, and its chains continue", async () => {
  const made = await makeInstance();
  const [backup, restored] = [join(made.folder, "backup"), join(made.folder, "restored")];
  expect(await runCommand("backup", [backup], { DATA_DIR: made.dataDir })).toMatchObject({ code: 0 });
  expect(await runCommand("restore", [backup, "--data-dir", restored])).toMatchObject({ code: 0 });
  const app = await expectCopy({}, restored, made);
  await expect(app.sql(FORGERY)).rejects.toThrow(/append-only/);
});

test("an instance that was moved to PostgreSQL has the same logs and notifications, and its chains continue", async () => {
  const made = await makeInstance();
  const url = await useDatabase();
  const moved = await runCommand("move", ["--to", url], { DATA_DIR: made.dataDir });
  expect(moved).toMatchObject({
    code: 0,
    output: expect.stringMatching(/audit_event: \d+ rows, identical on both sides/),
  });
  await expectCopy({ DATABASE_URL: url }, made.dataDir, made);
  await expect(sqlOnServer(url, FORGERY)).rejects.toThrow(/append-only/);
});
