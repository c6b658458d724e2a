import { createHmac } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { clientOf } from "../support/client.ts";
import { publish } from "../support/endpoints.ts";
import { runCommand } from "../support/run-command.ts";
import { createTestApp, registerUser, useTemporaryFolder, useTestApp } from "../support/test-app.ts";

const oldKey = "0123456789abcdef".repeat(4);
const newKey = "fedcba9876543210".repeat(4);

test("npm run admin without a known command lists the commands", async () => {
  for (const args of [[], ["unknown"], ["constructor"]]) {
    const { code, output } = await runCommand("admin", args);
    expect(code).toBe(1);
    expect(output).toContain("Usage: npm run admin -- <command>");
    expect(output).toContain("reseal");
  }
});

test("cancel ends the unfinished tasks of an owner, with their sub-workflows, and nobody else's", async () => {
  const dataDir = await useTemporaryFolder();
  const before = await createTestApp({}, { dataDir });
  const [alice, bob] = [await registerUser(before, "alice"), await registerUser(before, "bob")];
  const wait = [{ stepId: "wait", type: "delay", seconds: 3600 }];
  const start = async (user: typeof alice, steps: object[]) => {
    const saved = await user.post("/api/workflows", { name: "w", metadata: { steps, edges: [] } });
    const workflowId = saved.body.workflow.id as string;
    const { body } = await user.post(`/api/workflows/${workflowId}/run`, { input: {} });
    return { workflowId, taskId: body.taskId as string };
  };
  const inner = await start(alice, wait);
  const outer = await start(alice, [{ stepId: "call", type: "workflow", workflowId: inner.workflowId }]);
  const other = await start(bob, wait);
  await before.stop();

  const settings = { DATA_DIR: dataDir };
  const unknown = await runCommand("admin", ["cancel", "--owner", "nobody@example.com"], settings);
  expect(unknown).toMatchObject({ code: 1, output: expect.stringContaining("There is no account") });
  const both = await runCommand("admin", ["cancel", "--root", "task_1", "--workflow", "wf_1"], settings);
  expect(both).toMatchObject({ code: 1, output: expect.stringContaining("Usage: npm run admin -- cancel") });
  const one = await runCommand("admin", ["cancel", "--root", outer.taskId], settings);
  expect(one).toMatchObject({ code: 0, output: expect.stringContaining("2 tasks cancelled") });
  const rest = await runCommand("admin", ["cancel", "--owner", alice.email], settings);
  expect(rest).toMatchObject({ code: 0, output: expect.stringContaining("1 tasks cancelled") });
  const none = await runCommand("admin", ["cancel", "--workflow", inner.workflowId], settings);
  expect(none).toMatchObject({ code: 0, output: expect.stringContaining("0 tasks cancelled") });

  const after = await useTestApp({}, { dataDir });
  const statusOf = async ({ token }: { token: string }, taskId: string) =>
    (await clientOf(after.http, token).get(`/api/tasks/${taskId}`)).body.task.status as string;
  expect(await statusOf(alice, outer.taskId)).toBe("cancelled");
  expect(await statusOf(alice, inner.taskId)).toBe("cancelled");
  expect(await statusOf(bob, other.taskId)).toBe("waiting");
});

test("after reseal the service needs only the newest key", async () => {
  const dataDir = await useTemporaryFolder();
  const before = await createTestApp({ ENCRYPTION_KEY: oldKey }, { dataDir });
  const alice = await registerUser(before, "alice");
  await alice.put("/api/variables/token", { value: "hush-hush", secret: true });
  const workflow = await publish(alice, { enabled: false });
  const signature = { scheme: "github", secret: "gh-secret" };
  const webhook = { name: "Push", source: "push", workflowId: workflow.id, signature };
  expect((await alice.post("/api/webhooks", webhook)).status).toBe(201);

  const settings = { DATA_DIR: dataDir, ENCRYPTION_KEY: `${newKey},${oldKey}` };
  const refused = await runCommand("admin", ["reseal"], settings);
  expect(refused).toMatchObject({
    code: 1,
    output: expect.stringContaining("in use by another Baton process"),
  });
  await before.stop();

  const done = await runCommand("admin", ["reseal"], settings);
  expect(done).toMatchObject({ code: 0, output: expect.stringContaining("variable: 1 encrypted") });
  expect(done.output).toContain("webhook: 1 encrypted");

  const after = await useTestApp({ ENCRYPTION_KEY: newKey }, { dataDir });
  const body = JSON.stringify({ n: 1 });
  const signed = createHmac("sha256", "gh-secret").update(body).digest("hex");
  const delivered = await after.anonymous.post(
    "/webhook/push",
    { n: 1 },
    { "x-hub-signature-256": `sha256=${signed}` },
  );
  expect(delivered.status).toBeLessThan(300);
});

/** A stopped instance with the old key, whose user has a secret. */
async function createInstance() {
  const dataDir = await useTemporaryFolder();
  const before = await createTestApp({ ENCRYPTION_KEY: oldKey }, { dataDir });
  const alice = await registerUser(before, "alice");
  await alice.put("/api/variables/token", { value: "hush-hush", secret: true });
  await before.stop();
  return { dataDir, alice };
}

test("with another key the service starts, and a run says that a secret cannot be read", async () => {
  const { dataDir, alice } = await createInstance();

  const after = await useTestApp({ ENCRYPTION_KEY: newKey }, { dataDir });
  const again = clientOf(after.http, alice.token);
  const steps = [{ stepId: "a", type: "transform", template: "{{secrets.token}}" }];
  const saved = await again.post("/api/workflows", { name: "w", metadata: { steps, edges: [] } });
  const { id } = saved.body.workflow;
  const { body } = await again.post(`/api/workflows/${id}/run?wait=true`, {});
  expect(body.message).toMatch(/secret cannot be read.*ENCRYPTION_KEY.*enter the secret again/);
  expect((await again.get(`/api/tasks/${body.taskId}`)).body.task.error.code).toBe("secret_unreadable");
  await again.put("/api/variables/token", { value: "hush-hush", secret: true });
  expect((await again.post(`/api/workflows/${id}/run?wait=true`, {})).status).toBe(200);
});

test("reseal with a key missing fails and names what to do", async () => {
  const { dataDir } = await createInstance();
  const { code, output } = await runCommand("admin", ["reseal"], {
    DATA_DIR: dataDir,
    ENCRYPTION_KEY: newKey,
  });
  expect(code).toBe(1);
  expect(output).toContain("Secrets that the keys of ENCRYPTION_KEY cannot read: 1.");
});

test("a folder without an instance is refused and stays empty", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "baton-empty-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const { code, output } = await runCommand("admin", ["reseal"], { DATA_DIR: dataDir });
  expect(code).toBe(1);
  expect(output).toContain("There is no database");
  expect(await readdir(dataDir)).toEqual([]);
});
