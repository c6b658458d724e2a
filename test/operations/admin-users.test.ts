import { expect, onTestFinished, test } from "vitest";
import { ADMIN_COMMANDS } from "../../server/operations/admin/admin-commands.ts";
import { upload } from "../documents/upload.ts";
import { startWordEmbeddings } from "../documents/word-embeddings.ts";
import { useProcessGroup } from "../processes/several.ts";
import { clientOf } from "../support/client.ts";
import { chain } from "../support/graphs.ts";
import { lines, pdfOf } from "../support/pdf.ts";
import { operatorOf } from "../support/operator.ts";
import { registerUser, useTestApp } from "../support/test-app.ts";

/** Runs commands on the data of an app that was stopped, or on a shared database. */
async function operator(app: { dataDir: string }, settings: Record<string, string> = {}) {
  const { context, lines } = await operatorOf(app, settings);
  return async (name: string, ...args: string[]): Promise<string> => {
    lines.length = 0;
    await ADMIN_COMMANDS[name]!.run({ ...context, args });
    return lines.join("\n");
  };
}

async function stoppedApp() {
  const app = await useTestApp();
  const [ada, ben] = [await registerUser(app, "ada"), await registerUser(app, "ben")];
  const wait = { steps: [{ stepId: "wait", type: "delay", seconds: 3600 }], edges: [] };
  const { workflow } = (await ben.post("/api/workflows", { name: "Waits", metadata: wait })).body;
  const { taskId } = (await ben.post(`/api/workflows/${workflow.id}/run`, {})).body;
  await expect.poll(async () => (await ben.get(`/api/tasks/${taskId}`)).body.task.status).toBe("waiting");
  await app.stop();
  return { app, ada, ben, taskId: taskId as string, run: await operator(app) };
}

test("the operator lists, invites, disables and enables accounts", async () => {
  const { app, ada, ben, run } = await stoppedApp();
  expect(await run("users")).toMatch(
    new RegExp(`^${ben.email}, .*\n${ada.email}, .*administrator\n2 accounts$`),
  );
  const listed = JSON.parse(await run("users", "--search", "ben", "--json"));
  expect(listed.users).toMatchObject([{ email: ben.email, disabledAt: null }]);
  expect(await run("disable", ben.email)).toBe(`${ben.email} is disabled.`);
  expect(await run("users", "--status", "disabled")).toContain("1 accounts");
  await expect(run("disable", ada.email)).rejects.toMatchObject({ code: "last_administrator" });
  await expect(run("disable")).rejects.toThrow("Usage:");
  await expect(run("users", "--status", "gone")).rejects.toThrow("Usage:");
  const invited = JSON.parse(await run("invite", "Cy@example.com", "--json"));
  expect(invited).toEqual({ url: expect.stringMatching(/\/register#invitation=/), mailed: false });
  expect(await run("invite")).toContain("Anyone with this link");

  const again = await useTestApp({ ALLOW_REGISTRATION: "false" }, { dataDir: app.dataDir });
  const logIn = () => again.anonymous.post("/api/auth/login", { email: ben.email, password: ben.password });
  expect((await logIn()).body.error).toBe("account_disabled");
  const invitation = invited.url.split("#invitation=")[1];
  const account = { email: "cy@example.com", password: "a quite good one", invitation };
  expect((await again.anonymous.post("/api/auth/register", account)).status).toBe(201);
  await again.stop();
  expect(await run("enable", ben.user.id)).toBe(`${ben.email} is enabled.`);
});

test("the operator deletes an account after a dry run, and its records go to another", async () => {
  const { app, ada, ben, run } = await stoppedApp();
  const report = await run("delete-user", ben.email, "--dry-run");
  expect(report).toContain("1 workflows, 1 runs");
  expect(report).toContain("Nothing was changed.");
  await expect(run("delete-user", ben.email)).rejects.toThrow("Usage:");
  await expect(run("delete-user", ben.email, "--transfer-to", "nobody@example.com")).rejects.toThrow(
    "There is no account",
  );
  const done = JSON.parse(await run("delete-user", ben.email, "--transfer-to", ada.email, "--json"));
  expect(done).toMatchObject({ dryRun: false, deletion: { workspaces: [{ outcome: "transferred" }] } });
  expect(await run("users")).toContain("1 accounts");
  const again = await useTestApp({}, { dataDir: app.dataDir });
  const { workspaces } = (await clientOf(again.http, ada.token).get("/api/auth/me")).body;
  expect(workspaces.map(({ id }: any) => id)).toContain(ben.user.id);
});

test("the operator lists and stops runs, and measures the storage", async () => {
  const { ben, taskId, run } = await stoppedApp();
  expect(await run("tasks")).toBe("0 with status running");
  expect(await run("tasks", "--status", "waiting")).toContain(`${taskId}, ${ben.email}, Waits, since `);
  expect(JSON.parse(await run("tasks", "--status", "waiting", "--json")).tasks).toMatchObject([
    { id: taskId },
  ]);
  await expect(run("stop")).rejects.toThrow("Usage:");
  await expect(run("stop", "--task", "task_unknown")).rejects.toMatchObject({ code: "task_not_found" });
  expect(await run("stop", "--workspace", ben.email)).toBe("1 stopped");
  expect(await run("tasks", "--status", "waiting")).toBe("0 with status waiting");
  expect(await run("storage")).toMatch(
    /: \d+\.\d MB, 1 runs, 0 files, 0 documents\n(.*\n)?Sizes of runs are estimated from 50 of every 1,000 runs.\nDatabase .* MB free of/,
  );
  expect(JSON.parse(await run("storage", "--json")).workspaces).toHaveLength(2);
});

test("the operator sets the limits and the retention of a workspace, also in a running service", async () => {
  const several = await useProcessGroup();
  const app = await several.join("all");
  const ben = await registerUser(app, "ben");
  const run = await operator(app, {
    DATABASE_URL: several.databaseUrl,
    ENCRYPTION_KEY: "0123456789abcdef".repeat(4),
  });
  expect(await run("rules", ben.email)).toBe("Limits: as the instance\nRetention: as the instance");
  await run("rules", ben.email, "--limit", "store_values=1", "--limit", "queued_tasks=7");
  const set = JSON.parse(
    await run("rules", ben.user.id, "--limit", "queued_tasks=default", "--retention-days", "30", "--json"),
  );
  const limits = [{ name: "store_values", value: 1 }];
  expect(set).toEqual({ workspaceId: ben.user.id, limits, retentionDays: 30 });
  expect(await run("rules", ben.email)).toBe("store_values: 1\nRetention: 30 days");
  const limitOf = async () =>
    (await ben.get("/api/limits")).body.limits.find(({ name }: { name: string }) => name === "store_values")
      .limit;
  await expect.poll(limitOf).toBe(1);
  for (const wrong of [
    ["--limit", "store_values=-1"],
    ["--limit", "unknown=1"],
    ["--retention-days", "soon"],
  ])
    await expect(run("rules", ben.email, ...wrong)).rejects.toThrow("Usage:");
  await expect(run("rules")).rejects.toThrow("Usage:");
  await expect(run("rules", "nobody@example.com")).rejects.toThrow("There is no account or workspace");
  expect(
    await run("rules", ben.email, "--retention-days", "default", "--limit", "store_values=default"),
  ).toBe("Limits: as the instance\nRetention: as the instance");
});

test("the operator lists and stops sessions of teams and ingestions of documents", async () => {
  const embeddings = await startWordEmbeddings();
  onTestFinished(() => embeddings.close());
  embeddings.beforeAnswer = () => new Promise(() => undefined);
  const settings = { ...embeddings.settings, TEAM_JOIN_WAIT_MS: "0" };
  const app = await useTestApp(settings);
  const ben = await registerUser(app, "ben");
  const { team } = (await ben.post("/api/agent-teams", { name: "Desk", externalAgents: [{ name: "scout" }] }))
    .body;
  const startSession = async () =>
    (await ben.post(`/api/agent-teams/${team.id}/run`, { objective: "Look" })).body.sessionId as string;
  const [first, second] = [await startSession(), await startSession()];
  const pdf = await pdfOf([lines(["The door opens with 4712."])]);
  const { document_id: document } = (await upload(ben, pdf, { query: "?async=true" })).body;
  const sessions = async () =>
    (await app.sql("select id from task where lane = 'session' and status = 'waiting'")).length;
  await expect.poll(sessions).toBe(2);
  await app.stop();

  const run = await operator(app);
  const waiting = await run("tasks", "--status", "waiting", "--kind", "session");
  for (const id of [first, second]) expect(waiting).toContain(`${id}, ${ben.email}, session of Desk`);
  expect(await run("tasks", "--status", "queued")).toContain(
    `${document}, ${ben.email}, ingestion of a document`,
  );
  await expect(run("tasks", "--kind", "unknown")).rejects.toThrow("Usage:");
  expect(await run("stop", "--task", first)).toBe("1 stopped");
  expect(await run("stop", "--task", first)).toBe("0 stopped");
  expect(await run("stop", "--workspace", ben.email)).toBe("2 stopped");

  const again = await useTestApp(settings, { dataDir: app.dataDir });
  const same = clientOf(again.http, ben.token);
  for (const id of [first, second])
    expect((await same.get(`/api/agent-teams/sessions/${id}`)).body.session.status).toBe("cancelled");
  expect((await same.get(`/api/v1/documents/${document}`)).body).toMatchObject({
    status: "failed",
    error: { code: "ingestion_stopped" },
  });
});

test("[S22] an account that the operator disables loses access in a running service at once", async () => {
  const several = await useProcessGroup();
  const app = await several.join("all");
  const [, ben] = [await registerUser(app, "ada"), await registerUser(app, "ben")];
  const { workflow } = (await ben.post("/api/workflows", { name: "Echo", metadata: chain("a") })).body;
  expect((await ben.get(`/api/workflows/${workflow.id}`)).status).toBe(200);
  const run = await operator(app, {
    DATABASE_URL: several.databaseUrl,
    ENCRYPTION_KEY: "0123456789abcdef".repeat(4),
  });
  await run("disable", ben.email);
  await expect.poll(async () => (await ben.get(`/api/workflows/${workflow.id}`)).status).toBe(401);
});
