import { io } from "socket.io-client";
import { expect, onTestFinished, test } from "vitest";
import { chain } from "./support/graphs.ts";
import { connectApp } from "./support/oauth.ts";
import { shareApp } from "./support/shared-app.ts";
import { createTeamWorkspace, inWorkspace } from "./support/workspaces.ts";

const { app, ada, ben, eve } = await shareApp(["ada", "ben", "eve"]);
const url = await app.listen();

const secretly = {
  name: "CRM",
  kind: "bearer",
  secrets: { token: "hush" },
  hosts: ["crm.example"],
};

test("builders use every connection and see the settings of their own; admins see all", async () => {
  const id = await createTeamWorkspace(ada, [
    [ben, "builder"],
    [eve, "builder"],
  ]);
  const [owner, maker, user] = [inWorkspace(ada, id), inWorkspace(ben, id), inWorkspace(eve, id)];
  const { connection } = (await maker.post("/api/connections", secretly)).body;
  expect(connection).toMatchObject({ createdBy: ben.user.id, canManage: true, hosts: ["crm.example"] });

  const listed = (await user.get("/api/connections")).body.connections;
  expect(listed).toMatchObject([
    {
      id: connection.id,
      name: "CRM",
      status: "untested",
      canManage: false,
      hosts: [],
      settings: {},
      fields: {},
    },
  ]);
  expect((await user.get(`/api/connections/${connection.id}`)).text).not.toContain("crm.example");
  const path = `/api/connections/${connection.id}`;
  for (const refused of [
    await user.patch(path, { name: "Mine" }),
    await user.delete(path),
    await user.post(`${path}/test`),
    await user.post(`${path}/authorize`),
  ])
    expect([refused.status, refused.body.error]).toEqual([403, "forbidden"]);
  const steps = [{ stepId: "call", type: "http", url: "https://crm.example", connection: connection.id }];
  const saved = await user.post("/api/workflows", { name: "Uses it", metadata: { steps, edges: [] } });
  expect([saved.status, saved.body.warnings]).toEqual([201, []]);

  expect((await owner.get(path)).body.connection).toMatchObject({ canManage: true, hosts: ["crm.example"] });
  expect((await owner.patch(path, { name: "Ours" })).body.connection.name).toBe("Ours");
  expect((await maker.delete(`${path}?force=true`)).status).toBe(200);
});

test("who saved, published and decided is the person, not the workspace", async () => {
  const id = await createTeamWorkspace(ada, [[ben, "builder"]]);
  const team = inWorkspace(ben, id);
  const steps = [{ stepId: "ask", type: "approval", message: "Go on?" }];
  const { workflow } = (await team.post("/api/workflows", { name: "Asks", metadata: { steps, edges: [] } }))
    .body;
  await team.patch(`/api/workflows/${workflow.id}`, { description: "Edited" });
  const saved = await team.put(`/api/workflows/${workflow.id}/draft`, { description: "Drafted" });
  expect(saved.body.draft.updatedBy).toBe(ben.user.id);
  await team.post(`/api/workflows/${workflow.id}/publish`, {});
  const { versions } = (await team.get(`/api/workflows/${workflow.id}/versions`)).body;
  expect(versions.map(({ createdBy }: any) => createdBy)).toEqual(Array(3).fill(ben.user.id));
  for (const made of [
    await team.post(`/api/workflows/${workflow.id}/clone`),
    await team.post("/api/templates/import/order-summary"),
    await team.post("/api/workflows/generate-ai", { prompt: "Fetch https://example.com every day" }),
  ]) {
    const [first] = (await team.get(`/api/workflows/${made.body.workflow.id}/versions`)).body.versions;
    expect(first.createdBy).toBe(ben.user.id);
  }
  const { taskId } = (await team.post(`/api/workflows/${workflow.id}/run?wait=true`, {})).body;
  await team.post(`/api/tasks/${taskId}/resume`, { decision: "approve" });
  await expect.poll(async () => (await team.get(`/api/tasks/${taskId}`)).body.task.status).toBe("completed");
  expect((await team.get(`/api/tasks/${taskId}`)).text).toContain(`"decidedBy":"${ben.user.id}"`);
});

interface Opened {
  socket: ReturnType<typeof io>;
  ended: Promise<string>;
}

async function open(token: string, workspace?: string): Promise<Opened> {
  const socket = io(url, { auth: { token, workspace }, reconnection: false, transports: ["websocket"] });
  onTestFinished(() => void socket.close());
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("connect_error", reject);
  });
  return { socket, ended: new Promise((resolve) => socket.once("disconnect", resolve)) };
}

test("a socket belongs to a workspace: a viewer follows runs and posts nothing, a stranger is refused", async () => {
  const id = await createTeamWorkspace(ada, [[ben, "viewer"]]);
  const { workflow } = (
    await inWorkspace(ada, id).post("/api/workflows", { name: "Seen", metadata: chain("a") })
  ).body;
  const { taskId } = (await inWorkspace(ada, id).post(`/api/workflows/${workflow.id}/run`, {})).body;
  const { team } = (await inWorkspace(ada, id).post("/api/agent-teams", { name: "Desk" })).body;
  const run = await inWorkspace(ada, id).post(`/api/agent-teams/${team.id}/run`, { objective: "Look" });

  await expect(open(eve.token, id)).rejects.toMatchObject({ data: { error: "forbidden" } });
  const { socket } = await open(ben.token, id);
  expect(await socket.emitWithAck("watch_task", { taskId })).toMatchObject({ ok: true });
  expect(await socket.emitWithAck("join_war_room", { teamId: team.id })).toMatchObject({ ok: true });
  expect(
    await socket.emitWithAck("send_message", { sessionId: run.body.sessionId, content: "Hello" }),
  ).toMatchObject({ ok: false, error: "forbidden" });
  const personal = await open(ben.token);
  expect(await personal.socket.emitWithAck("watch_task", { taskId })).toMatchObject({
    ok: false,
    error: "forbidden",
  });
  const owner = await open(ada.token, id);
  expect(
    await owner.socket.emitWithAck("send_message", { sessionId: run.body.sessionId, content: "Hello" }),
  ).toMatchObject({ ok: true });
});

test("removal and a change of role end sockets and streams of the person in that workspace, and no others", async () => {
  const id = await createTeamWorkspace(ada, [
    [ben, "operator"],
    [eve, "operator"],
  ]);
  const team = inWorkspace(ada, id);
  const steps = [{ stepId: "ask", type: "approval", message: "Go on?" }];
  const { workflow } = (await team.post("/api/workflows", { name: "Waits", metadata: { steps, edges: [] } }))
    .body;
  const { taskId } = (await team.post(`/api/workflows/${workflow.id}/run?wait=true`, {})).body;
  const stream = async (token: string) => {
    const headers = { authorization: `Bearer ${token}`, "x-workspace": id };
    const response = await fetch(`${url}/api/tasks/${taskId}/events`, { headers });
    expect(response.status).toBe(200);
    return response.text().then(
      () => "ended",
      () => "ended",
    );
  };
  const bens = [open(ben.token, id).then(({ ended }) => ended), stream(ben.token)];
  const kept = await open(ben.token);
  const eves = [open(eve.token, id).then(({ ended }) => ended), stream(eve.token)];
  const adas = await open(ada.token, id);
  await open(eve.token, id);

  await ada.patch(`/api/workspaces/${id}/members/${ben.user.id}`, { role: "viewer" });
  await Promise.all(bens);
  await ada.delete(`/api/workspaces/${id}/members/${eve.user.id}`);
  await Promise.all(eves);
  expect([kept.socket.connected, adas.socket.connected]).toEqual([true, true]);
});

test("a connected app acts in the workspace of the consent, and ends with the membership", async () => {
  const id = await createTeamWorkspace(ada, [[ben, "operator"]]);
  const { workflow } = (
    await inWorkspace(ada, id).post("/api/workflows", { name: "Team tool", metadata: chain("a") })
  ).body;
  await inWorkspace(ada, id).put(`/api/exposures/workflow/${workflow.id}`, { mcp: true });
  const { tokens } = await connectApp(ben, { workspaceId: id });
  const tools = () =>
    app.anonymous.post(
      "/mcp",
      { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} },
      { authorization: `Bearer ${tokens.access_token}`, accept: "application/json, text/event-stream" },
    );
  expect((await tools()).text).toContain("team-tool");
  expect((await ben.get("/api/connected-apps")).body.apps).toMatchObject([{ workspaceId: id }]);
  await ada.patch(`/api/workspaces/${id}/members/${ben.user.id}`, { role: "viewer" });
  expect((await tools()).status).toBe(401);
  await expect(connectApp(ben, { workspaceId: id })).rejects.toThrow();
  await expect(connectApp(eve, { workspaceId: id })).rejects.toThrow();
});
