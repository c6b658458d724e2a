import { describe, expect, test } from "vitest";
import {
  makeAgents,
  type MadeTeam,
  makeTeam,
  readLog,
  readSession,
  run,
  seqs,
  ended,
  until,
  upTo,
  useTeamApp,
  type TeamApp,
} from "./team-app.ts";

const externalAgents = [{ name: "scout", capabilities: ["look"] }];

async function setting(settings: Record<string, string> = {}, agents: string[] = []) {
  const service = await useTeamApp(settings);
  const team = await makeTeam(service.ada, { externalAgents, agents });
  return { ...service, team, sessionId: await run(service.ada, team.id) };
}

function authenticate(
  { app }: Pick<TeamApp, "app">,
  team: Pick<MadeTeam, "id">,
  secret: string | undefined,
  body: unknown,
) {
  return app.anonymous.post(
    `/webhook/a2a/${team.id}`,
    body,
    secret === undefined ? {} : { "x-a2a-secret": secret },
  );
}

const hello = (sessionId: string, more: Record<string, unknown> = {}) => ({
  sessionId,
  from: { id: "scout", type: "external" },
  to: { id: "broadcast", type: "internal" },
  type: "user_prompt",
  content: { result: "I saw it" },
  ...more,
});

describe("the A2A webhook", () => {
  test("appends a message of a listed agent to the session's log", async () => {
    const { app, ada, team, sessionId } = await setting();
    const { status, body } = await authenticate({ app }, team, team.a2aSecret, hello(sessionId));
    expect([status, body]).toEqual([
      200,
      { ok: true, messageId: expect.stringMatching(/^msg_/), sessionId, seq: 2 },
    ]);
    expect((await readLog(ada, sessionId, 1))[0]).toMatchObject({
      seq: 2,
      from: { id: "scout", type: "external" },
      to: { id: "broadcast" },
      type: "user_prompt",
      content: { result: "I saw it" },
    });
  });

  test("requires only session, sender and content", async () => {
    const { app, ada, team, sessionId } = await setting();
    const { to: _to, type: _type, ...least } = hello(sessionId);
    expect((await authenticate({ app }, team, team.a2aSecret, least)).body).toMatchObject({
      ok: true,
      seq: 2,
    });
    expect((await readLog(ada, sessionId, 1))[0]).toMatchObject({
      to: { id: "broadcast" },
      type: "user_prompt",
    });
  });

  test("the internal agents answer, and a session that has ended becomes active again", async () => {
    const service = await useTeamApp();
    const team = await makeTeam(service.ada, {
      externalAgents,
      agents: await makeAgents(service.ada, "Ann"),
    });
    const sessionId = await run(service.ada, team.id);
    await ended(service.ada, sessionId);
    expect((await authenticate(service, team, team.a2aSecret, hello(sessionId))).body).toMatchObject({
      ok: true,
      seq: 3,
    });
    await until(
      () => readLog(service.ada, sessionId),
      (log) => log.length === 4,
    );
    expect((await readLog(service.ada, sessionId)).at(-1)).toMatchObject({
      from: { id: team.agents[0] },
      type: "agent_result",
    });
    expect((await ended(service.ada, sessionId)).status).toBe("completed");
  });

  test("two messages with one id make one entry, also when both arrive at once", async () => {
    const { app, ada, team, sessionId } = await setting();
    const send = () => authenticate({ app }, team, team.a2aSecret, hello(sessionId, { messageId: "m-1" }));
    const answers = await Promise.all(upTo(10).map(send));
    expect(new Set(answers.map(({ text }) => text))).toEqual(
      new Set([JSON.stringify({ ok: true, messageId: "m-1", sessionId, seq: 2 })]),
    );
    expect(await readLog(ada, sessionId)).toHaveLength(2);
    expect(
      (await authenticate({ app }, team, team.a2aSecret, hello(sessionId, { messageId: "m-2" }))).body.seq,
    ).toBe(3);
  });
});

describe("[S18] authentication of the sender", () => {
  test("[S18] no secret is 401; a wrong one, another team's or an unknown team is the same 403", async () => {
    const { app, ada, team, sessionId } = await setting();
    const other = await makeTeam(ada, { externalAgents });
    const refused = async (where: Pick<MadeTeam, "id">, secret: string | undefined) => {
      const { status, body } = await authenticate({ app }, where, secret, hello(sessionId));
      return [status, body.error];
    };
    expect(await refused(team, undefined)).toEqual([401, "missing_secret"]);
    expect(await refused(team, "wrong")).toEqual([403, "invalid_secret"]);
    expect(await refused(team, other.a2aSecret)).toEqual([403, "invalid_secret"]);
    expect(await refused({ id: "team_unknown" }, team.a2aSecret)).toEqual([403, "invalid_secret"]);
    const texts = await Promise.all([
      authenticate({ app }, team, "wrong", {}),
      authenticate({ app }, { id: "team_unknown" }, "wrong", {}),
    ]);
    expect(texts[0].text).toBe(texts[1].text);
  });

  test("[S18] the right secret with an unlisted name or an internal agent's name is 403 unknown_agent", async () => {
    const service = await useTeamApp();
    const { ada } = service;
    const [ann] = await makeAgents(ada, "Ann");
    const team = await makeTeam(ada, { externalAgents, agents: [ann] });
    const sessionId = await run(ada, team.id);
    await ended(ada, sessionId);
    const before = await readLog(ada, sessionId);
    for (const from of [
      { id: "stranger", type: "external" },
      { id: "Scout", type: "external" },
      { id: "scout", type: "internal" },
      { id: ann, type: "internal" },
      { id: ann, type: "external" },
      { id: ada.user.id, type: "user" },
    ]) {
      const { status, body } = await authenticate(service, team, team.a2aSecret, hello(sessionId, { from }));
      expect([from, status, body.error]).toEqual([from, 403, "unknown_agent"]);
    }
    expect(await readLog(ada, sessionId)).toEqual(before);
  });

  test("[S18] another team's session, an unknown or a cancelled one is 400 invalid_session", async () => {
    const { app, ada, team, sessionId } = await setting();
    const foreign = await run(ada, (await makeTeam(ada)).id);
    await ada.post(`/api/agent-teams/sessions/${sessionId}/cancel`);
    for (const id of [foreign, "sess_unknown", sessionId]) {
      const { status, body } = await authenticate({ app }, team, team.a2aSecret, hello(id));
      expect([status, body.error]).toEqual([400, "invalid_session"]);
    }
    expect((await readSession(ada, sessionId)).status).toBe("cancelled");
  });

  test("an invalid message is 400 invalid_message, checked after the secret and before the name", async () => {
    const { app, team, sessionId } = await setting();
    const unlisted = { from: { id: "stranger", type: "external" } };
    for (const body of [
      {},
      [],
      "text",
      { ...hello(sessionId), sessionId: undefined },
      { ...hello(sessionId), from: undefined },
      { ...hello(sessionId), from: "scout" },
      { ...hello(sessionId), content: undefined },
      { ...hello(sessionId), content: "text" },
      { ...hello(sessionId), type: "shout" },
      // Only Baton records how a session goes.
      { ...hello(sessionId), type: "status" },
      { ...hello(sessionId, unlisted), content: 5 },
    ]) {
      const { status, body: answer } = await authenticate(
        { app },
        team,
        team.a2aSecret,
        JSON.stringify(body),
      );
      expect([body, status, answer.error]).toEqual([body, 400, "invalid_message"]);
    }
    expect((await authenticate({ app }, team, "wrong", {})).body.error).toBe("invalid_secret");
    expect((await authenticate({ app }, team, team.a2aSecret, "{")).body.error).toBe("invalid_json");
    const large = await authenticate(
      { app },
      team,
      team.a2aSecret,
      hello(sessionId, { content: { text: "x".repeat(1024 * 1024) } }),
    );
    expect([large.status, large.body.error]).toEqual([413, "payload_too_large"]);
  });

  test("[S23] the limit is twenty a minute per team, counted before the secret is checked", async () => {
    const { app, ada, team, sessionId } = await setting({ RATE_LIMIT_WEBHOOK_PER_MINUTE: "20" });
    for (const _ of upTo(20)) expect((await authenticate({ app }, team, "wrong", {})).status).toBe(403);
    const limited = await authenticate({ app }, team, team.a2aSecret, hello(sessionId));
    expect([limited.status, limited.body.error, Number(limited.headers["retry-after"]) > 0]).toEqual([
      429,
      "rate_limited",
      true,
    ]);
    const other = await makeTeam(ada, { externalAgents });
    expect(
      (await authenticate({ app }, other, other.a2aSecret, hello(await run(ada, other.id)))).status,
    ).toBe(200);
  });

  test("[S17] the secret is shown once, works until it is rotated, and is stored nowhere", async () => {
    const { app, ada, team, sessionId } = await setting();
    expect(Buffer.from(team.a2aSecret, "base64url")).toHaveLength(32);
    await authenticate({ app }, team, team.a2aSecret, hello(sessionId));
    const answers = await Promise.all(
      [
        `/api/agent-teams/${team.id}`,
        "/api/agent-teams",
        `/api/agent-teams/${team.id}/discovery`,
        `/api/agent-teams/sessions/${sessionId}/logs`,
      ].map((url) => ada.get(url)),
    );
    const patched = await ada.patch(`/api/agent-teams/${team.id}`, { name: "Renamed" });
    for (const { text } of [...answers, patched]) expect(text).not.toMatch(/secret/i);
    const rotated = (await ada.post(`/api/agent-teams/${team.id}/rotate-secret`)).body.team.a2aSecret;
    expect(rotated).not.toBe(team.a2aSecret);
    expect((await authenticate({ app }, team, team.a2aSecret, hello(sessionId))).body.error).toBe(
      "invalid_secret",
    );
    expect((await authenticate({ app }, team, rotated, hello(sessionId))).status).toBe(200);
    expect(seqs(await readLog(ada, sessionId))).toEqual([1, 2, 3]);
  });
});
