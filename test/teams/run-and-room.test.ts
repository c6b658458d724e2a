import { expect, test } from "vitest";
import { clientOf } from "../support/client.ts";
import { useTemporaryFolder } from "../support/test-app.ts";
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
} from "./team-app.ts";

async function crew({ ada }: TeamApp) {
  return makeTeam(ada, { agents: await makeAgents(ada, "Ann", "Ben") });
}

test("[R19] a client in the room receives the objective at once, then every entry in order, then the end", async () => {
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

test("[R19] without a client the run waits, and starts when one joins", async () => {
  const service = await useTeamApp({ TEAM_JOIN_WAIT_MS: "600000" });
  const { ada, address, stub } = service;
  const team = await crew(service);
  const answer = await ada.post(`/api/agent-teams/${team.id}/run`, { input: "Go" });
  expect(answer.body).toMatchObject({ status: "waiting" });
  const sessionId: string = answer.body.sessionId;
  expect(stub.requests).toHaveLength(0);
  const client = await connect(address, ada.token);
  // The run's entries arrive as events only, none with the acknowledgement, so none arrives twice.
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

test("[R19] the run starts without a client when the wait is over", async () => {
  const service = await useTeamApp({ TEAM_JOIN_WAIT_MS: "150" });
  const sessionId = await run(service.ada, (await crew(service)).id);
  expect((await ended(service.ada, sessionId)).status).toBe("completed");
});

test("[R19] a join after 9.9 of the 10 seconds starts the run, once", async () => {
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

test("[R19] clients that join while the wait ends each receive every entry once", async () => {
  const service = await useTeamApp({ TEAM_JOIN_WAIT_MS: "100" });
  const { ada, address } = service;
  const team = await crew(service);
  const clients = await Promise.all(upTo(20).map(() => connect(address, ada.token)));
  const sessionId = await run(ada, team.id);
  const replayed = await Promise.all(
    clients.map(async (client, index) => {
      await new Promise((resolve) => setTimeout(resolve, index * 10));
      return (await client.ask("join_war_room", { sessionId }))["messages"];
    }),
  );
  for (const [index, client] of clients.entries()) {
    const all = await until(
      () => [...seqs(replayed[index]), ...seqs(client.messages())],
      (list) => list.length >= 3,
    );
    expect(all).toEqual([1, 2, 3]);
  }
});

test("[R19] a waiting run survives a restart, and starts when a client joins", async () => {
  const dataDir = await useTemporaryFolder();
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

test("[R19] a join in one team's room starts no run of another team, and sends it no event", async () => {
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
