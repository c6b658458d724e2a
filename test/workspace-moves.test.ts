import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { reach, read, save, serve, start, stepOf } from "../server/engine/testing/workbench.ts";
import { transformStep } from "./support/graphs.ts";
import { shareApp } from "./support/shared-app.ts";
import { createTeamWorkspace, inWorkspace } from "./support/workspaces.ts";

const { app, ada } = await shareApp(["ada"], { ALLOW_PRIVATE_NETWORK: "true" });
const echo = [transformStep("echo", "{{input}}")];

const move = (workflowId: string, workspaceId: string, as = ada, dryRun = false) =>
  as.post(`/api/workflows/${workflowId}/move${dryRun ? "?dryRun=true" : ""}`, { workspaceId });

test("a moved workflow keeps its id, versions, draft, addresses, starters, values and runs", async () => {
  const vendor = await serve((_request, response) =>
    response.setHeader("content-type", "text/csv").end("a,b\n"),
  );
  const target = await createTeamWorkspace(ada);
  const there = inWorkspace(ada, target);
  const download = { stepId: "get", type: "http", url: vendor.url, responseAs: "file" };
  const id = await save(ada, [download, ...echo], [], {
    apiSettings: { enabled: true, endpointName: "moved-orders", authentication: false },
  });
  await ada.patch(`/api/workflows/${id}`, { description: "Second version" });
  await ada.put(`/api/workflows/${id}/draft`, { name: "Renamed", metadata: { steps: echo, edges: [] } });
  const secret = "whsec-of-the-vendor";
  const webhook = (
    await ada.post("/api/webhooks", {
      name: "Orders",
      source: "moved-source",
      workflowId: id,
      signature: { scheme: "github", secret },
    })
  ).body.webhook;
  const schedule = (await ada.post("/api/schedules", { workflowId: id, cron: "0 3 * * *" })).body.schedule;
  const chat = { kind: "chat", workflowId: id, settings: { slug: "moved-desk" } };
  const trigger = (await ada.post("/api/triggers", chat)).body.trigger;
  await ada.put(`/api/store/${id}/cursor`, { value: 7 });
  await ada.put(`/api/exposures/workflow/${id}`, { mcp: true, name: "moved_tool" });
  const caller = await save(ada, [{ stepId: "sub", type: "workflow", workflowId: id }]);
  const taskId = await start(ada, id);
  const task = await reach(ada, taskId, "completed");
  const { file } = stepOf(task, "get").output;
  const stats = async (as: typeof ada) => (await as.get(`/api/stats?workflowId=${id}`)).body.stats.totals;
  const before = await stats(ada);

  const dry = (await move(id, target, ada, true)).body;
  expect(dry).toMatchObject({
    workflowId: null,
    conflicts: [],
    usedBy: [{ kind: "workflow", id: caller, name: "test" }],
    needed: {
      endpoint: true,
      webhooks: [{ id: webhook.id, name: "Orders" }],
      schedules: [{ id: schedule.id }],
      triggers: [{ id: trigger.id }],
    },
  });
  const moved = await move(id, target);
  expect(moved.body).toMatchObject({ ok: true, workflowId: id, movesRuns: false });

  expect((await ada.get(`/api/workflows/${id}`)).status).toBe(403);
  const { workflow } = (await there.get(`/api/workflows/${id}`)).body;
  expect(workflow).toMatchObject({ id, ownerId: target, apiSettings: { endpointName: "moved-orders" } });
  expect((await there.get(`/api/workflows/${id}/versions`)).body.versions).toHaveLength(2);
  expect((await there.get(`/api/workflows/${id}/draft`)).body.draft.name).toBe("Renamed");
  expect((await ada.get(`/api/workflows/${id}/draft`)).status).toBe(403);
  expect((await there.get("/api/schedules")).body.schedules).toMatchObject([{ id: schedule.id }]);
  expect((await there.get("/api/triggers")).body.triggers).toMatchObject([{ id: trigger.id }]);
  expect((await there.get(`/api/store/${id}/cursor`)).body.value.value).toBe(7);
  expect((await ada.get("/api/schedules")).body.schedules).toEqual([]);

  expect((await ada.get(`/api/tasks/${taskId}`)).status).toBe(403);
  expect((await read(there, taskId)).id).toBe(taskId);
  expect((await there.get(`/api/run-files/${file}`)).text).toBe("a,b\n");
  expect((await ada.get(`/api/run-files/${file}`)).status).toBe(403);
  expect(await stats(there)).toEqual(before);

  const called = await app.anonymous.post("/api/workflows/public/moved-orders", { n: 1 });
  expect(called.status).toBe(200);
  await reach(there, called.body.taskId, "completed");
  const body = JSON.stringify({ order: 4 });
  const sent = await app.anonymous.call("/webhook/moved-source", {
    method: "POST",
    body,
    headers: {
      "content-type": "application/json",
      "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
    },
  });
  expect(sent.status).toBe(200);
  await reach(there, sent.body.taskId, "completed");
});

test("a move waits for the end of runs and for free names; nothing changes before", async () => {
  const target = await createTeamWorkspace(ada);
  const there = inWorkspace(ada, target);
  const id = await save(ada, [{ stepId: "ask", type: "approval", message: "Go?" }], [], {
    apiSettings: { enabled: true, endpointName: "given-away" },
  });
  await ada.patch(`/api/workflows/${id}`, { apiSettings: { enabled: false } });
  const other = await save(there, echo);
  const hook = { name: "Orders", source: "taken-source" };
  const webhook = (await ada.post("/api/webhooks", { ...hook, workflowId: id })).body.webhook;
  await there.post("/api/webhooks", { ...hook, workflowId: other });
  await ada.put(`/api/exposures/workflow/${id}`, { mcp: true, name: "taken_tool" });
  await there.put(`/api/exposures/workflow/${other}`, { mcp: true, name: "taken_tool" });
  const taskId = await start(ada, id);
  await reach(ada, taskId, "waiting_approval");

  const conflicts = [
    { kind: "run", id: taskId, name: "waiting_approval" },
    { kind: "webhook", id: webhook.id, name: "taken-source" },
    { kind: "exposure", id, name: "taken_tool" },
  ];
  expect((await move(id, target, ada, true)).body.conflicts).toEqual(conflicts);
  const refused = await move(id, target);
  expect([refused.status, refused.body.error, refused.body.details]).toEqual([
    409,
    "transfer_conflict",
    { conflicts },
  ]);
  expect((await ada.get(`/api/workflows/${id}`)).status).toBe(200);

  await ada.post(`/api/tasks/${taskId}/cancel`);
  await ada.patch(`/api/webhooks/${webhook.id}`, { source: "free-source" });
  await ada.put(`/api/exposures/workflow/${id}`, { name: "free_tool" });
  expect((await move(id, target)).body).toMatchObject({ ok: true, conflicts: [] });
  expect((await read(there, taskId)).status).toBe("cancelled");
  // Its name was reserved for the workspace that turned the endpoint off.
  const enabled = await there.patch(`/api/workflows/${id}`, { apiSettings: { enabled: true } });
  expect(enabled.status).toBe(200);
});

test("a long history follows in the background, and back again", async () => {
  const target = await createTeamWorkspace(ada);
  const there = inWorkspace(ada, target);
  const id = await save(ada, echo);
  const RUNS = 500;
  const values = Array.from(
    { length: RUNS },
    (_, n) =>
      `('task_${id}_${n}', '${ada.user.id}', '${id}', 1, 'completed', 'manual', '{}', 0, 1, 0, 0, 0, ${n + 1}, ${n + 1}, ${n + 1})`,
  );
  await app.sql(`insert into task (id, owner_id, workflow_id, workflow_version, status, trigger, input, depth, epoch, wake,
    lives, lives_seq, created_at, started_at, completed_at) values ${values.join(",")}`);
  const owned = async (ownerId: string) =>
    Number(
      (
        await app.sql(
          `select count(*) as n from task where workflow_id = '${id}' and owner_id = '${ownerId}'`,
        )
      )[0]?.["n"],
    );
  expect((await move(id, target)).body.movesRuns).toBe(true);
  await expect.poll(() => owned(target), { timeout: 20_000 }).toBe(RUNS);
  await start(there, id).then((taskId) => reach(there, taskId, "completed"));
  expect((await move(id, ada.user.id, there)).status).toBe(200);
  await expect.poll(() => owned(ada.user.id), { timeout: 20_000 }).toBe(RUNS + 1);
});
