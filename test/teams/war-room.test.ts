import { rm } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { clientOf } from "../support/client.ts";
import { registerUser, temporaryFolder } from "../support/test-app.ts";
import {
  connect,
  ended,
  makeAgents,
  makeTeam,
  readLog,
  readSession,
  run,
  seqs,
  until,
  upTo,
  useTeamApp,
  type TeamApp,
} from "./room.ts";

async function crew({ ada }: TeamApp, more: Record<string, unknown> = {}) {
  return makeTeam(ada, { agents: await makeAgents(ada, "Ann", "Ben"), ...more });
}

describe("R19 the run and the room", () => {
  test("a client in the room hears the objective at once, then every entry in order, then the end", async () => {
    const service = await useTeamApp({ TEAM_JOIN_WAIT_MS: "600000" });
    const { ada, address } = service;
    const team = await crew(service);
    const client = await connect(address, ada.token);
    expect(await client.ask("join_war_room", { teamId: team.id })).toMatchObject({
      ok: true,
      room: `war_room_${team.id}`,
      teamId: team.id,
      sessions: [],
      messages: [],
      present: 1,
    });
    const answer = await ada.post(`/api/agent-teams/${team.id}/run`, { objective: "Go" });
    expect(answer.body).toMatchObject({ ok: true, teamId: team.id, status: "active" });
    const sessionId: string = answer.body.sessionId;
    await until(
      () => client.events,
      (events) => events.some(([name, { status }]) => name === "SWARM_STATUS" && status === "completed"),
    );
    expect(client.messages()).toEqual(await readLog(ada, sessionId));
    expect(client.events.find(([name]) => name === "NEW_SWARM_MESSAGE")?.[1]).toMatchObject({
      sessionId,
      teamId: team.id,
      message: { seq: 1, type: "user_prompt" },
    });
    const statuses = client.events.filter(([name]) => name === "SWARM_STATUS").map(([, event]) => event);
    expect(statuses[0]).toEqual({ sessionId, teamId: team.id, status: "active" });
    expect(statuses).toContainEqual({
      sessionId,
      teamId: team.id,
      status: "active",
      agentId: team.agents[0],
      detail: "turn_started",
      usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
      turns: 0,
    });
    const { usage, turns } = await readSession(ada, sessionId);
    expect(statuses.at(-1)).toEqual({ sessionId, teamId: team.id, status: "completed", usage, turns });
  });

  test("without a client the run waits for one, and begins when it joins", async () => {
    const service = await useTeamApp({ TEAM_JOIN_WAIT_MS: "600000" });
    const { ada, address, stub } = service;
    const team = await crew(service);
    const answer = await ada.post(`/api/agent-teams/${team.id}/run`, { input: "Go" });
    expect(answer.body).toMatchObject({ status: "waiting" });
    const sessionId: string = answer.body.sessionId;
    expect(stub.requests).toHaveLength(0);
    const client = await connect(address, ada.token);
    // What the run has to say comes as events, none of it with the acknowledgement, so nothing comes twice.
    expect(await client.ask("join_war_room", { sessionId })).toMatchObject({
      ok: true,
      messages: [],
      sessions: [{ id: sessionId, status: "waiting" }],
    });
    await ended(ada, sessionId);
    await until(
      () => client.messages(),
      (messages) => messages.length === 3,
    );
    expect(client.messages()).toEqual(await readLog(ada, sessionId));
  });

  test("it begins without anybody when the wait is over", async () => {
    const service = await useTeamApp({ TEAM_JOIN_WAIT_MS: "150" });
    const sessionId = await run(service.ada, (await crew(service)).id);
    expect((await ended(service.ada, sessionId)).status).toBe("completed");
  });

  test("a join after 9.9 of the 10 seconds begins it, and once", async () => {
    let ahead = 0;
    const clock = { now: () => Date.now() + ahead, monotonic: () => performance.now() };
    const service = await useTeamApp({ TEAM_JOIN_WAIT_MS: "10000" }, { clock });
    const { ada, address } = service;
    const team = await crew(service);
    const sessionId = await run(ada, team.id);
    const client = await connect(address, ada.token);
    ahead = 9900;
    expect((await ada.get(`/api/agent-teams/sessions/${sessionId}`)).body.session.status).toBe("waiting");
    const { messages } = await client.ask("join_war_room", { sessionId });
    await ended(ada, sessionId);
    await until(
      () => client.messages(),
      (live) => live.length === 3,
    );
    expect([...seqs(messages), ...seqs(client.messages())]).toEqual([1, 2, 3]);
    expect(await readLog(ada, sessionId)).toHaveLength(3);
  });

  test("many who join while the wait ends each hear all of it once", async () => {
    const service = await useTeamApp({ TEAM_JOIN_WAIT_MS: "100" });
    const { ada, address } = service;
    const team = await crew(service);
    const clients = await Promise.all(upTo(20).map(() => connect(address, ada.token)));
    const sessionId = await run(ada, team.id);
    const heard = await Promise.all(
      clients.map(async (client, index) => {
        await new Promise((resolve) => setTimeout(resolve, index * 10));
        return (await client.ask("join_war_room", { sessionId }))["messages"];
      }),
    );
    for (const [index, client] of clients.entries()) {
      const all = await until(
        () => [...seqs(heard[index]), ...seqs(client.messages())],
        (list) => list.length >= 3,
      );
      expect(all).toEqual([1, 2, 3]);
    }
  });

  test("a run that waits when the process ends is still there, and begins when somebody joins the next one", async () => {
    const dataDir = await temporaryFolder();
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const settings = { TEAM_JOIN_WAIT_MS: "600000" };
    const first = await useTeamApp(settings, { dataDir });
    const team = await crew(first);
    const sessionId = await run(first.ada, team.id);
    await first.app.stop();
    const second = await useTeamApp(settings, { dataDir });
    const ada = { ...first.ada, ...clientOf(second.app.http, first.ada.token) };
    expect((await readSession(ada, sessionId)).status).toBe("waiting");
    const client = await connect(second.address, ada.token);
    await client.ask("join_war_room", { teamId: team.id });
    expect((await ended(ada, sessionId)).status).toBe("completed");
    await until(
      () => client.messages(),
      (messages) => messages.length === 3,
    );
    expect(seqs(client.messages())).toEqual([1, 2, 3]);
  });

  test("a join in one team's room begins nothing in another's, and nothing is heard of it", async () => {
    const service = await useTeamApp({ TEAM_JOIN_WAIT_MS: "600000" });
    const { ada, address } = service;
    const [one, two] = [await crew(service), await crew(service)];
    const waiting = await run(ada, two.id);
    const client = await connect(address, ada.token);
    await client.ask("join_war_room", { teamId: one.id });
    const sessionId = await run(ada, one.id);
    await ended(ada, sessionId);
    await until(
      () => client.messages(),
      (messages) => messages.length === 3,
    );
    expect(new Set(client.messages().map((message) => message.sessionId))).toEqual(new Set([sessionId]));
    expect((await ada.get(`/api/agent-teams/sessions/${waiting}`)).body.session.status).toBe("waiting");
  });
});

describe("the room", () => {
  test("people speak over the socket and are heard by all in it, also by themselves", async () => {
    const service = await useTeamApp();
    const { ada, address } = service;
    const team = await makeTeam(ada);
    const sessionId = await run(ada, team.id);
    const [one, two] = [
      await connect(address, ada.token),
      await connect(address, ada.token, { transports: ["polling"] }),
    ];
    await one.ask("join_war_room", { teamId: team.id });
    expect(await two.ask("join_war_room", { sessionId })).toMatchObject({ present: 2 });
    const ack = await one.ask("send_message", { sessionId, content: "Hello" });
    expect(ack).toMatchObject({ ok: true, sessionId, seq: 2, messageId: expect.stringMatching(/^msg_/) });
    for (const client of [one, two]) {
      await until(
        () => client.messages(),
        (messages) => messages.length === 1,
      );
      expect(client.messages()[0]).toMatchObject({
        seq: 2,
        content: { text: "Hello" },
        from: { id: ada.user.id, type: "user" },
      });
    }
  });

  test("R18 a client that comes back gets what it missed, without gap or repeat, while others go on speaking", async () => {
    const service = await useTeamApp();
    const { ada, address } = service;
    const team = await makeTeam(ada);
    const sessionId = await run(ada, team.id);
    const speak = async (from: number, to: number): Promise<void> => {
      for (let n = from; n <= to; n++)
        await ada.post(`/api/agent-teams/sessions/${sessionId}/messages`, { content: `${n}` });
    };
    const talk = speak(2, 150);
    const heard: number[] = [];
    for (let visit = 0; heard.at(-1) !== 150; visit++) {
      const client = await connect(address, ada.token);
      const { messages } = await client.ask("join_war_room", { sessionId, after: heard.at(-1) ?? 0 });
      const missed = heard.length;
      await until(
        () => client.messages(),
        (live) => live.length >= 20 || missed + messages.length + live.length >= 150,
      );
      client.socket.disconnect();
      heard.push(...seqs(messages), ...seqs(client.messages()));
      if (visit > 100) break;
    }
    await talk;
    expect(heard).toEqual(upTo(150));
  });

  test("a long history comes whole: as much as the answer holds, then the rest as events, then what is new", async () => {
    const service = await useTeamApp();
    const { ada, address } = service;
    const sessionId = await run(ada, (await makeTeam(ada)).id);
    await Promise.all(
      upTo(799).map((n) => ada.post(`/api/agent-teams/sessions/${sessionId}/messages`, { content: `${n}` })),
    );
    const client = await connect(address, ada.token);
    const { messages } = await client.ask("join_war_room", { sessionId });
    await client.ask("send_message", { sessionId, content: "the last one" });
    await until(
      () => client.messages(),
      (live) => live.at(-1)?.seq === 801,
    );
    expect(messages).toHaveLength(200);
    expect([...seqs(messages), ...seqs(client.messages())]).toEqual(upTo(801));
  });

  test("after leaving, nothing more is heard", async () => {
    const service = await useTeamApp();
    const { ada, address } = service;
    const team = await makeTeam(ada);
    const sessionId = await run(ada, team.id);
    const [gone, stays] = [await connect(address, ada.token), await connect(address, ada.token)];
    for (const client of [gone, stays]) await client.ask("join_war_room", { teamId: team.id });
    expect(await gone.ask("leave_war_room")).toEqual({ ok: true });
    await stays.ask("send_message", { sessionId, content: "Hello" });
    await until(
      () => stays.messages(),
      (messages) => messages.length === 1,
    );
    expect(gone.messages()).toEqual([]);
  });

  test("R18 a client that does not read is dropped, and the others notice nothing", async () => {
    const service = await useTeamApp();
    const { ada, address } = service;
    const sessionId = await run(ada, (await makeTeam(ada)).id);
    const [slow, quick] = [await connect(address, ada.token), await connect(address, ada.token)];
    for (const client of [slow, quick]) await client.ask("join_war_room", { sessionId });
    // As a laptop that was closed: the connection is there, nobody takes anything from it.
    (slow.socket.io.engine.transport as unknown as { ws: { _socket: { pause(): void } } }).ws._socket.pause();
    const large = "x".repeat(900_000);
    const count = 40;
    for (let n = 0; n < count; n++)
      await ada.post(`/api/agent-teams/sessions/${sessionId}/messages`, { content: large });
    await until(
      () => quick.events.at(-1),
      () => quick.events.some(([name, { present }]) => name === "ROOM_PRESENCE" && present === 1),
    );
    await until(
      () => quick.messages(),
      (messages) => messages.length === count,
    );
    expect(seqs(quick.messages())).toEqual(upTo(count + 1).slice(1));
  });

  test("a watched task tells every change of its status", async () => {
    const { ada, address } = await useTeamApp();
    const { body } = await ada.post("/api/workflows", {
      name: "Asks",
      metadata: { steps: [{ stepId: "ask", type: "approval", message: "Go?" }], edges: [] },
    });
    const { taskId } = (await ada.post(`/api/workflows/${body.workflow.id}/run?wait=true`, {})).body;
    const client = await connect(address, ada.token);
    expect(await client.ask("watch_task", { taskId })).toEqual({
      ok: true,
      taskId,
      status: "waiting_approval",
    });
    await ada.post(`/api/tasks/${taskId}/resume`);
    await until(
      () => client.events,
      (events) =>
        events.some(
          ([name, { status, stepId }]) =>
            name === "TASK_STATUS" && status === "completed" && stepId === undefined,
        ),
    );
    expect(client.events.some(([, event]) => event["taskId"] === taskId && event["stepId"] === "ask")).toBe(
      true,
    );
    expect(await client.ask("unwatch_task", { taskId })).toEqual({ ok: true });
  });
});

describe("S24 S13 the door", () => {
  test("[S24] a socket needs a valid token", async () => {
    const { address } = await useTeamApp();
    await expect(connect(address, "")).rejects.toMatchObject({
      message: "missing_token",
      data: { ok: false, error: "missing_token" },
    });
    await expect(connect(address, "no.token.this")).rejects.toMatchObject({ message: "invalid_token" });
  });

  test("[S24] a page of another origin opens no socket, unless the operator lists it", async () => {
    const closed = await useTeamApp();
    const open = await useTeamApp({ CORS_ORIGINS: "https://good.example" });
    const from = (address: string, origin: string, path: string) =>
      connectionStatus(address, path, { origin });
    const polling = "/socket.io/?EIO=4&transport=polling";
    expect(await from(closed.address, "https://evil.example", polling)).toBe(403);
    expect(await from(open.address, "https://evil.example", polling)).toBe(403);
    expect(await from(open.address, "https://good.example", polling)).toBe(200);
    expect(await from(closed.address, closed.address, polling)).toBe(200);
    const upgrade = (origin: string) =>
      connectionStatus(closed.address, "/socket.io/?EIO=4&transport=websocket", {
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

  test("a wrong request is refused with a reason, whatever it is", async () => {
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
});

function connectionStatus(address: string, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${address}${path}`, { headers });
    sent.on("response", (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on("upgrade", (_response, socket) => {
      socket.destroy();
      resolve(101);
    });
    sent.on("error", reject);
    sent.end();
  });
}
