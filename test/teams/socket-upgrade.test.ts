import { expect, test } from "vitest";
import { registerUser } from "../support/test-app.ts";
import { upgradeStatus } from "../support/upgrade-status.ts";
import { connect, makeTeam, readLog, run, useTeamApp } from "./team-app.ts";

test("[S24] a socket needs a valid token", async () => {
  const { address } = await useTeamApp();
  await expect(connect(address, "")).rejects.toMatchObject({
    message: "missing_token",
    data: { ok: false, error: "missing_token" },
  });
  await expect(connect(address, "no.token.this")).rejects.toMatchObject({ message: "invalid_token" });
});

test("[S24] a page of another origin cannot open a socket, unless the operator lists it", async () => {
  const closed = await useTeamApp();
  const open = await useTeamApp({ CORS_ORIGINS: "https://good.example" });
  const from = (address: string, origin: string, path: string) => upgradeStatus(address + path, { origin });
  const polling = "/socket.io/?EIO=4&transport=polling";
  expect(await from(closed.address, "https://evil.example", polling)).toBe(403);
  expect(await from(open.address, "https://evil.example", polling)).toBe(403);
  expect(await from(open.address, "https://good.example", polling)).toBe(200);
  expect(await from(closed.address, closed.address, polling)).toBe(200);
  const upgrade = (origin: string) =>
    upgradeStatus(`${closed.address}/socket.io/?EIO=4&transport=websocket`, {
      origin,
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
      "sec-websocket-version": "13",
    });
  expect(await upgrade("https://evil.example")).toBe(403);
  expect(await upgrade("null")).toBe(403);
  expect(await upgrade(closed.address)).toBe(101);
});

test("[S13] [S24] another user's team, session and task are forbidden, and unknown ones not found", async () => {
  const service = await useTeamApp();
  const { ada, app, address } = service;
  const team = await makeTeam(ada);
  const sessionId = await run(ada, team.id);
  const { body } = await ada.post("/api/workflows", {
    name: "Private",
    metadata: { steps: [{ stepId: "a", type: "transform", template: 1 }], edges: [] },
  });
  const { taskId } = (await ada.post(`/api/workflows/${body.workflow.id}/run?wait=true`, {})).body;
  const mallory = await connect(address, (await registerUser(app, "mallory")).token);
  for (const [event, request] of [
    ["join_war_room", { teamId: team.id }],
    ["join_war_room", { sessionId }],
    ["leave_war_room", { sessionId }],
    ["send_message", { sessionId, content: "Hello" }],
    ["watch_task", { taskId }],
  ] as const) {
    expect([event, await mallory.ask(event, request)]).toMatchObject([
      event,
      { ok: false, error: "forbidden" },
    ]);
  }
  expect(await mallory.ask("join_war_room", { teamId: "team_none" })).toMatchObject({
    ok: false,
    error: "team_not_found",
  });
  expect(await mallory.ask("join_war_room", { sessionId: "sess_none" })).toMatchObject({
    ok: false,
    error: "session_not_found",
  });
  expect(await readLog(ada, sessionId)).toHaveLength(1);
});

test("every invalid request is rejected with a reason", async () => {
  const { ada, address } = await useTeamApp();
  const client = await connect(address, ada.token);
  for (const request of [
    {},
    null,
    5,
    "x",
    { teamId: 1 },
    { teamId: "a", sessionId: "b" },
    { sessionId: "a", after: -1 },
  ]) {
    expect(await client.ask("join_war_room", request)).toMatchObject({
      ok: false,
      error: "invalid_request",
    });
  }
  expect(await client.ask("send_message", { sessionId: "s" })).toMatchObject({
    ok: false,
    error: "invalid_request",
  });
  expect(await client.ask("watch_task")).toMatchObject({ ok: false, error: "invalid_request" });
});
