import { expect, test } from "vitest";
import { reach } from "../server/engine/testing/workbench.ts";
import { clientOf } from "./support/client.ts";
import { createTestApp, registerUser, type RegisteredUser, useTestApp } from "./support/test-app.ts";
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
  const first = await createTestApp();
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
