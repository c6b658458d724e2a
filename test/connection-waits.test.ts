import { expect, test } from "vitest";
import { reach } from "../server/engine/testing/workbench.ts";
import { systemClock } from "../server/lib/clock.ts";
import { clientOf } from "./support/client.ts";
import { registerUser, type RegisteredUser, useTestApp } from "./support/test-app.ts";
import { sendJson, startVendor } from "./support/vendor.ts";

async function startVendorWithToken() {
  const vendor = { token: "hush-old" };
  const server = await startVendor((request, response) =>
    sendJson(response, request.headers.authorization === `Bearer ${vendor.token}` ? 200 : 401, {
      fine: true,
    }),
  );
  return Object.assign(vendor, server);
}

async function createConnection(user: RegisteredUser, { host, url }: { host: string; url: string }) {
  const given = {
    name: "Vendor",
    kind: "bearer",
    hosts: [host],
    settings: { testUrl: url },
    secrets: { token: "hush-old" },
  };
  return (await user.post("/api/connections", given)).body.connection.id as string;
}

async function startRun(
  user: RegisteredUser,
  connection: string,
  url: string,
  settings?: object,
  inLoop = true,
) {
  const call = { stepId: "call", type: "http", url, connection, maxRetries: 0 };
  const each = { stepId: "each", type: "foreach", items: [1, 2], steps: [call], edges: [] };
  const { body } = await user.post("/api/workflows", {
    name: "x",
    metadata: { steps: [inLoop ? each : call], edges: [] },
    ...(settings && { settings }),
  });
  return (await user.post(`/api/workflows/${body.workflow.id}/run`, {})).body.taskId as string;
}

test("a run that waits for a connection survives a restart and continues when the secret is replaced", async () => {
  const vendor = await startVendorWithToken();
  const first = await useTestApp();
  const ada = await registerUser(first, "ada");
  const id = await createConnection(ada, vendor);
  vendor.token = "hush-new";
  const taskId = await startRun(ada, id, vendor.url, { onConnectionProblem: "wait" }, false);
  const waiting = await reach(ada, taskId, "waiting");
  expect(JSON.stringify(waiting)).toContain("connection_authorization_required");
  expect(vendor.requests).toHaveLength(1);
  await first.stop();

  const second = await useTestApp({}, { dataDir: first.dataDir });
  const again = clientOf(second.http, ada.token);
  expect((await again.get(`/api/tasks/${taskId}`)).body.task.status).toBe("waiting");
  await again.patch(`/api/connections/${id}`, { secrets: { token: "hush-new" } });
  await reach(again, taskId, "completed");
});

test("a successful test continues the runs that wait, those of other connections stay, and without the setting a run fails", async () => {
  const vendor = await startVendorWithToken();
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  const [id, other] = [await createConnection(ada, vendor), await createConnection(ada, vendor)];
  vendor.token = "hush-other";
  const failing = await startRun(ada, id, vendor.url);
  await reach(ada, failing, "failed");
  const settings = { onConnectionProblem: "wait" };
  const [taskId, otherTask] = [
    await startRun(ada, id, vendor.url, settings),
    await startRun(ada, other, vendor.url, settings),
  ];
  await reach(ada, taskId, "waiting");
  await reach(ada, otherTask, "waiting");
  vendor.token = "hush-old";
  expect((await ada.post(`/api/connections/${id}/test`, {})).body.status).toBe("connected");
  await reach(ada, taskId, "completed");
  expect((await ada.get(`/api/tasks/${otherTask}`)).body.task.status).toBe("waiting");
});

test("waits for a connection use up no retry, and end a day after the problem began", async () => {
  let status = 401;
  const vendor = await startVendor((_request, response) => sendJson(response, status, {}));
  let offset = 0;
  const clock = { ...systemClock, now: () => Date.now() + offset };
  const app = await useTestApp({}, { clock });
  const ada = await registerUser(app, "ada");
  const id = await createConnection(ada, vendor);
  const steps = [{ stepId: "call", type: "http", url: vendor.url, connection: id, maxRetries: 1 }];
  const { body } = await ada.post("/api/workflows", {
    name: "x",
    metadata: { steps, edges: [] },
    settings: { onConnectionProblem: "wait" },
  });
  const start = async () =>
    (await ada.post(`/api/workflows/${body.workflow.id}/run`, {})).body.taskId as string;
  const attemptsOf = async (taskId: string) =>
    app.sql(`select attempt from journal where task_id = '${taskId}' and kind = 'attempt'`);

  const taskId = await start();
  await reach(ada, taskId, "waiting");
  await ada.post(`/api/tasks/${taskId}/retry-now`, {});
  await expect.poll(() => attemptsOf(taskId)).toHaveLength(2);
  // The credential is accepted, and the service fails: the one retry of the step is still there.
  status = 500;
  await reach(ada, taskId, "waiting");
  await ada.post(`/api/tasks/${taskId}/retry-now`, {});
  await expect.poll(() => attemptsOf(taskId)).toHaveLength(3);
  status = 200;
  await reach(ada, taskId, "waiting");
  await ada.post(`/api/tasks/${taskId}/retry-now`, {});
  await reach(ada, taskId, "completed");

  status = 401;
  const late = await start();
  await reach(ada, late, "waiting");
  offset = 25 * 3_600_000;
  await ada.post(`/api/tasks/${late}/retry-now`, {});
  await reach(ada, late, "failed");
});
