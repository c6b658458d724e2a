import { expect, test } from "vitest";
import { connect, ended, makeAgents, makeTeam, readSession, run, until, useTeamApp } from "./team-app.ts";

const answer = "Refunds doubled because parcels from Leipzig arrived late for three weeks.";

test("an answer is shown while it is written, in pieces that join to the entry of the log", async () => {
  const { ada, address, stub } = await useTeamApp();
  const [ann] = await makeAgents(ada, "Ann");
  const team = await makeTeam(ada, { agents: [ann] });
  stub.answerWith(answer);
  const client = await connect(address, ada.token);
  await client.ask("join_war_room", { teamId: team.id });
  const sessionId = await run(ada, team.id);
  await ended(ada, sessionId);
  const isText = ([name]: (typeof client.events)[number]) => name === "SWARM_TEXT";
  await until(
    () => client.events.filter(isText).map(([, event]) => event["text"]),
    (pieces) => pieces.join("") === answer,
  );
  const pieces = client.events.filter(isText).map(([, event]) => event);
  expect(pieces[0]).toMatchObject({ sessionId, teamId: team.id, agentId: ann, offset: 0 });
  let offset = 0;
  for (const piece of pieces) {
    expect(piece["offset"]).toBe(offset);
    offset += String(piece["text"]).length;
  }
});

test("a tool that an agent runs is shown while it runs", async () => {
  const { ada, address, stub } = await useTeamApp();
  const workflow = (await ada.post("/api/workflows", { name: "Refund report" })).body.workflow.id as string;
  const agent = (await ada.post("/api/agents", { name: "Ann", tools: { workflows: [workflow] } })).body.agent;
  const team = await makeTeam(ada, { agents: [agent.id] });
  stub.answerWith({ toolCalls: [{ name: "run_refund_report", arguments: { input: {} } }] }, answer);
  const client = await connect(address, ada.token);
  await client.ask("join_war_room", { teamId: team.id });
  await ended(ada, await run(ada, team.id));
  await until(
    () => client.events,
    (events) =>
      events.some(([name, event]) => name === "SWARM_STATUS" && event["tool"] === "run_refund_report"),
  );
});

test("a team lowers the limits of its sessions and instructs its members", async () => {
  const { ada, stub } = await useTeamApp();
  const agents = await makeAgents(ada, "Ann", "Ben");
  const team = await makeTeam(ada, {
    agents,
    limits: { turns: 1 },
    memberInstructions: { [agents[0]!]: "Check every number." },
  });
  expect(team).toMatchObject({ limits: { turns: 1 } });
  const sessionId = await run(ada, team.id);
  const session = await ended(ada, sessionId);
  expect(session.result).toMatchObject({ stoppedBy: "turn_limit" });
  expect(session.limits.turns).toBe(1);
  expect(stub.requests).toHaveLength(1);
  expect(JSON.stringify(stub.requests[0]?.body.messages[0])).toContain("Check every number.");

  await ada.patch(`/api/agent-teams/${team.id}`, { limits: { turns: 1000 } });
  const raised = await readSession(ada, sessionId);
  expect(raised.limits.turns).toBeLessThan(1000);
  const refused = await ada.patch(`/api/agent-teams/${team.id}`, { limits: { turns: 0 } });
  expect(refused.status).toBe(400);
});
