import { describe, expect, test } from "vitest";
import { registerUser, useTestApp } from "../support/test-app.ts";
import { makeAgents, makeTeam, run } from "./team-app.ts";

describe("a team", () => {
  test("is created with defaults, a secret, and a warning for each unregistered agent", async () => {
    const ada = await registerUser(await useTestApp());
    const [ann] = await makeAgents(ada, "Ann");
    const { status, body } = await ada.post("/api/agent-teams", {
      name: "Crew",
      agents: [ann, "agent_later"],
      externalAgents: [{ name: "scout", capabilities: ["look"] }],
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      ok: true,
      team: {
        id: expect.stringMatching(/^team_/),
        name: "Crew",
        description: "",
        agents: [ann, "agent_later"],
        externalAgents: [{ name: "scout", capabilities: ["look"] }],
        topology: "mesh",
        limits: {},
        memberInstructions: {},
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        a2aSecret: expect.any(String),
      },
      warnings: [
        {
          code: "unregistered_agent",
          message: expect.stringContaining("agent_later"),
          agentId: "agent_later",
        },
      ],
    });
  });

  test("lists all of its members in discovery, unregistered ones by their id", async () => {
    const ada = await registerUser(await useTestApp());
    const [ann] = await makeAgents(ada, "Ann");
    const team = await makeTeam(ada, {
      agents: [ann, "agent_later"],
      externalAgents: [{ name: "scout", capabilities: ["look"] }],
    });
    expect((await ada.get(`/api/agent-teams/${team.id}/discovery`)).body).toEqual({
      ok: true,
      discovery: [
        { id: ann, name: "Ann", type: "internal", capabilities: ["Ann-work"] },
        { id: "agent_later", name: "agent_later", type: "internal", capabilities: [] },
        { id: "scout", name: "scout", type: "external", capabilities: ["look"] },
      ],
    });
  });

  test("shows another user's agent only by its id", async () => {
    const app = await useTestApp();
    const [ada, eve] = [await registerUser(app, "ada"), await registerUser(app, "eve")];
    const [secretive] = await makeAgents(ada, "Secretive");
    const { body } = await eve.post("/api/agent-teams", { name: "Crew", agents: [secretive] });
    expect(body.warnings).toHaveLength(1);
    expect((await eve.get(`/api/agent-teams/${body.team.id}/discovery`)).body.discovery).toEqual([
      { id: secretive, name: secretive, type: "internal", capabilities: [] },
    ]);
  });

  test("is changed, listed and deleted with its sessions", async () => {
    const ada = await registerUser(await useTestApp());
    const team = await makeTeam(ada);
    const sessionId = await run(ada, team.id);
    const changed = await ada.patch(`/api/agent-teams/${team.id}`, { topology: "linear", name: "Line" });
    expect(changed.body).toMatchObject({
      ok: true,
      team: { topology: "linear", name: "Line", description: "" },
      warnings: [],
    });
    expect((await ada.get("/api/agent-teams")).body).toMatchObject({
      teams: [{ id: team.id, name: "Line" }],
      nextCursor: null,
    });
    expect((await ada.get(`/api/agent-teams/${team.id}/sessions`)).body).toMatchObject({
      sessions: [{ id: sessionId, status: "waiting" }],
      nextCursor: null,
    });
    expect((await ada.delete(`/api/agent-teams/${team.id}`)).body).toEqual({ ok: true });
    expect((await ada.get(`/api/agent-teams/${team.id}`)).body.error).toBe("team_not_found");
    expect((await ada.get(`/api/agent-teams/sessions/${sessionId}/logs`)).body.error).toBe(
      "session_not_found",
    );
  });

  test("invalid input is rejected with the path of the invalid field", async () => {
    const ada = await registerUser(await useTestApp());
    const team = await makeTeam(ada);
    const wrong = async (url: string, body: unknown) => {
      const answer = await ada.post(url, body);
      return [answer.status, answer.body.error, answer.body.details?.[0]?.path];
    };
    const teams = "/api/agent-teams";
    expect(await wrong(teams, {})).toEqual([400, "invalid_request", "name"]);
    expect(await wrong(teams, { name: "x", topology: "ring" })).toEqual([400, "invalid_request", "topology"]);
    expect(await wrong(teams, { name: "x", agents: ["a", "a"] })).toEqual([400, "invalid_request", "agents"]);
    expect(await wrong(teams, { name: "x", externalAgents: [{ name: "broadcast" }] })).toEqual([
      400,
      "invalid_request",
      "externalAgents.0.name",
    ]);
    expect(await wrong(teams, { name: "x", externalAgents: [{ name: "a" }, { name: "a" }] })).toEqual([
      400,
      "invalid_request",
      "externalAgents",
    ]);
    expect(
      await wrong(teams, { name: "x", externalAgents: [{ name: "a", url: "file:///etc/passwd" }] }),
    ).toEqual([400, "invalid_request", "externalAgents.0.url"]);
    expect(await wrong(`${teams}/${team.id}/run`, {})).toEqual([400, "invalid_request", "objective"]);
    expect(await wrong(`${teams}/${team.id}/run`, { objective: 5 })).toEqual([
      400,
      "invalid_request",
      "objective",
    ]);
    const sessionId = await run(ada, team.id);
    expect(await wrong(`${teams}/sessions/${sessionId}/messages`, { content: "" })).toEqual([
      400,
      "invalid_request",
      "content",
    ]);
    expect(
      await wrong(`${teams}/sessions/${sessionId}/messages`, { content: "x".repeat(1_100_000) }),
    ).toEqual([413, "payload_too_large", undefined]);
    expect((await ada.get(`${teams}/sessions/${sessionId}/logs?after=-1`)).status).toBe(400);
  });
});
