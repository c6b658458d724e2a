import { describe, expect, test } from "vitest";
import { outsideAgent } from "./outside-agent.ts";
import { ended, makeAgents, makeTeam, promptOf, readLog, run, until, useTeamApp } from "./team-app.ts";

type Reply = Record<string, unknown>;
const task = (state: string, text = ""): Reply => ({
  id: "remote-1",
  contextId: "context-1",
  status: {
    state: `TASK_STATE_${state}`,
    ...(text !== "" && { message: { role: "ROLE_AGENT", parts: [{ text }] } }),
  },
});

/** An A2A 1.0 agent: `answer` returns the result of a call. */
async function remoteAgent(answer: (method: string, params: any) => Reply) {
  const agent = await outsideAgent((path, body) => {
    if (path !== "/rpc")
      return {
        body: {
          name: "Scout",
          description: "Looks around",
          skills: [{ id: "look", name: "Looking" }],
          securitySchemes: {
            key: { apiKeySecurityScheme: { location: "header", name: "X-Scout-Key" } },
            token: { httpAuthSecurityScheme: { scheme: "bearer" } },
          },
          supportedInterfaces: [
            { url: `${agent.url}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
          ],
        },
      };
    return { body: { jsonrpc: "2.0", id: body.id, result: answer(body.method, body.params) } };
  });
  const calls = () => agent.received.filter(({ path }) => path === "/rpc");
  return {
    url: agent.url,
    calls,
    sent: () =>
      calls()
        .filter(({ body }) => body.method === "SendMessage")
        .map(({ body }) => body.params),
  };
}

const hierarchy = (url: string, more: Record<string, unknown> = {}) => ({
  topology: "hierarchical",
  externalAgents: [{ name: "scout", url, ...more }],
});

describe("an external agent that speaks A2A", () => {
  test("is polled until its task ends", async () => {
    const { ada, stub } = await useTeamApp();
    stub.answerWith((request) =>
      promptOf(request).includes("blue") ? "It is blue." : "@scout: which colour?",
    );
    let polls = 0;
    const scout = await remoteAgent((method) =>
      method === "SendMessage"
        ? { task: task("SUBMITTED") }
        : ++polls < 3
          ? task("WORKING", "looking")
          : { ...task("COMPLETED"), artifacts: [{ parts: [{ text: "blue" }] }] },
    );
    const team = await makeTeam(ada, { ...hierarchy(scout.url), agents: await makeAgents(ada, "Ann") });
    const session = await ended(ada, await run(ada, team.id));
    expect(session.result?.output).toBe("It is blue.");
    expect(scout.sent()).toHaveLength(1);
    expect(scout.sent()[0]).toMatchObject({ configuration: { returnImmediately: true } });
    expect(scout.calls().at(-1)?.body.params).toMatchObject({ id: "remote-1" });
  });

  test("that asks for input is answered by the team, in the same task and context", async () => {
    const { ada, stub } = await useTeamApp();
    stub.answerWith((request) => {
      const prompt = promptOf(request);
      if (prompt.includes("north it is")) return "Done: north.";
      return prompt.includes("Which side?") ? "@scout: the north side" : "@scout: look around";
    });
    const scout = await remoteAgent((_method, { message }) =>
      message?.taskId === "remote-1"
        ? { task: task("COMPLETED", "north it is") }
        : { task: task("INPUT_REQUIRED", "Which side?") },
    );
    const team = await makeTeam(ada, { ...hierarchy(scout.url), agents: await makeAgents(ada, "Ann") });
    const sessionId = await run(ada, team.id);
    expect((await ended(ada, sessionId)).result?.output).toBe("Done: north.");
    const question = (await readLog(ada, sessionId)).find(({ content }) => content["inputRequired"] === true);
    expect(question).toMatchObject({ from: { id: "scout" }, content: { text: "Which side?" } });
    const [first, second] = scout.sent().map(({ message }) => message);
    expect([first.contextId, first.taskId]).toEqual([undefined, undefined]);
    expect([second.contextId, second.taskId]).toEqual(["context-1", "remote-1"]);
  });

  test("keeps its context over turns, without the ended task", async () => {
    const { ada } = await useTeamApp();
    const scout = await remoteAgent(() => ({ task: task("COMPLETED", "seen") }));
    const team = await makeTeam(ada, { externalAgents: [{ name: "scout", url: scout.url }] });
    const sessionId = await run(ada, team.id, "Look");
    await until(
      () => readLog(ada, sessionId),
      (log) => log.length >= 2,
    );
    await ada.post(`/api/agent-teams/sessions/${sessionId}/messages`, { content: "Again" });
    await until(
      () => readLog(ada, sessionId),
      (log) => log.length >= 4,
    );
    const [, second] = scout.sent().map(({ message }) => message);
    expect([second.contextId, second.taskId]).toEqual(["context-1", undefined]);
    await ada.post(`/api/agent-teams/sessions/${sessionId}/cancel`);
  });

  test("whose task fails leaves an error entry", async () => {
    const { ada, stub } = await useTeamApp();
    stub.answerWith((request) => (promptOf(request).includes("no map") ? "Lost." : "@scout: go"));
    const scout = await remoteAgent(() => ({ task: task("FAILED", "no map") }));
    const team = await makeTeam(ada, { ...hierarchy(scout.url), agents: await makeAgents(ada, "Ann") });
    const sessionId = await run(ada, team.id);
    expect((await ended(ada, sessionId)).result?.output).toBe("Lost.");
    expect((await readLog(ada, sessionId)).find(({ type }) => type === "error")).toMatchObject({
      content: { code: "external_agent_failed", message: "no map" },
    });
  });

  test("whose task outlives the service is read by the next process, and gets no second message", async () => {
    const first = await useTeamApp({ STOP_GRACE_MS: "0" });
    let isDone = false;
    const scout = await remoteAgent((method) =>
      method === "SendMessage" ? { task: task("WORKING") } : task(isDone ? "COMPLETED" : "WORKING", "seen"),
    );
    const team = await makeTeam(first.ada, { externalAgents: [{ name: "scout", url: scout.url }] });
    const sessionId = await run(first.ada, team.id, "Look");
    await until(
      () => scout.calls().length,
      (calls) => calls >= 2,
    );
    await first.app.stop();
    isDone = true;
    const second = await useTeamApp({}, { dataDir: first.app.dataDir });
    const login = await second.app.anonymous.post("/api/auth/login", {
      email: first.ada.email,
      password: first.ada.password,
    });
    const headers = { authorization: `Bearer ${login.body.token}` };
    const logs = `/api/agent-teams/sessions/${sessionId}/logs`;
    const reply = await until(
      async () => (await second.app.anonymous.get(logs, headers)).body.logs.at(-1),
      ({ from }) => from.id === "scout",
    );
    expect(reply).toMatchObject({ type: "agent_result", content: { text: "seen" } });
    expect(scout.sent()).toHaveLength(1);
  });

  test.each([
    ["as a bearer token", {}, "authorization", "Bearer very-secret-value"],
    ["in a header", { header: "X-Scout-Key" }, "x-scout-key", "very-secret-value"],
  ])("gets its credential %s, and the log of the session does not", async (_name, more, header, value) => {
    const { ada } = await useTeamApp();
    await ada.put("/api/variables/scout_key", { value: "very-secret-value", secret: true });
    const scout = await remoteAgent(() => ({ message: { parts: [{ text: "I got very-secret-value" }] } }));
    const credential = { secret: "scout_key", ...more };
    const team = await makeTeam(ada, { externalAgents: [{ name: "scout", url: scout.url, credential }] });
    const sessionId = await run(ada, team.id);
    const log = await until(
      () => readLog(ada, sessionId),
      (entries) => entries.length >= 2,
    );
    expect(scout.calls()[0]?.headers[header]).toBe(value);
    expect(JSON.stringify(log)).not.toContain("very-secret-value");
    expect((await ada.get(`/api/agent-teams/${team.id}`)).body.team.externalAgents[0].credential).toEqual(
      credential,
    );
    await ada.post(`/api/agent-teams/sessions/${sessionId}/cancel`);
  });

  test("without its secret variable leaves an error entry that names it", async () => {
    const { ada } = await useTeamApp();
    const scout = await remoteAgent(() => ({}));
    const team = await makeTeam(ada, {
      externalAgents: [{ name: "scout", url: scout.url, credential: { secret: "missing" } }],
    });
    const sessionId = await run(ada, team.id);
    const log = await until(
      () => readLog(ada, sessionId),
      (entries) => entries.length >= 2,
    );
    expect(log[1]).toMatchObject({ type: "error", content: { message: expect.stringContaining("missing") } });
    expect(scout.calls()).toEqual([]);
    await ada.post(`/api/agent-teams/sessions/${sessionId}/cancel`);
  });

  test("is found by its address: the card says what it can do and which credentials it takes", async () => {
    const { ada } = await useTeamApp();
    const scout = await remoteAgent(() => ({}));
    const plain = await outsideAgent(() => ({ status: 404 }));
    // No text can be made of such a value.
    const notText = { toString: null };
    const odd = await outsideAgent(() => ({
      body: {
        name: notText,
        supportedInterfaces: [{ protocolBinding: "JSONRPC", protocolVersion: notText }],
      },
    }));
    const find = (url: string) => ada.post("/api/agent-teams/agent-card", { url });
    expect((await find(scout.url)).body).toEqual({
      ok: true,
      protocol: "a2a",
      card: {
        name: "Scout",
        description: "Looks around",
        skills: ["Looking"],
        credentialHeaders: ["x-scout-key", "authorization"],
      },
    });
    for (const { url } of [plain, odd])
      expect((await find(url)).body).toEqual({ ok: true, protocol: "webhook", card: null });
    expect((await find("http://127.0.0.1:1/")).body.error).toBe("fetch_failed");
    expect((await find("http://169.254.169.254/")).body.error).toBe("egress_denied");
  });
});

describe("the secret of one external agent", () => {
  test("lets it post in its own name only, and the secret of the team keeps working", async () => {
    const { app, ada } = await useTeamApp();
    const externalAgents = [{ name: "north" }, { name: "south" }];
    const team = await makeTeam(ada, { externalAgents });
    const sessionId = await run(ada, team.id);
    const path = `/api/agent-teams/${team.id}/external-agents/north/secret`;
    const { status, body } = await ada.post(path);
    expect(status).toBe(201);
    const send = async (secret: string, id: string) => {
      const message = { sessionId, from: { id, type: "external" }, content: { text: "hi" } };
      const sent = await app.anonymous.post(`/webhook/a2a/${team.id}`, message, { "x-a2a-secret": secret });
      return sent.body.error ?? "ok";
    };
    expect(await send(body.secret, "north")).toBe("ok");
    expect(await send(body.secret, "south")).toBe("unknown_agent");
    expect(await send(team.a2aSecret, "south")).toBe("ok");
    expect(await send("guessed", "north")).toBe("invalid_secret");
    expect(JSON.stringify(await app.sql("select * from external_agent_secret"))).not.toContain(body.secret);

    const again = (await ada.post(path)).body.secret;
    expect(await send(body.secret, "north")).toBe("invalid_secret");
    expect(await send(again, "north")).toBe("ok");
    expect((await ada.delete(path)).status).toBe(200);
    expect(await send(again, "north")).toBe("invalid_secret");
    expect((await ada.post(`/api/agent-teams/${team.id}/external-agents/east/secret`)).status).toBe(404);
  });

  test("ends with its agent: a name that is listed again needs a new one", async () => {
    const { app, ada } = await useTeamApp();
    const team = await makeTeam(ada, { externalAgents: [{ name: "north" }] });
    const { secret } = (await ada.post(`/api/agent-teams/${team.id}/external-agents/north/secret`)).body;
    const read = async () =>
      (
        await app.anonymous.get(`/a2a/${team.id}/extendedAgentCard`, {
          "x-a2a-secret": secret,
          "a2a-version": "1.0",
        })
      ).status;
    expect(await read()).toBe(200);
    await ada.patch(`/api/agent-teams/${team.id}`, { externalAgents: [] });
    await ada.patch(`/api/agent-teams/${team.id}`, { externalAgents: [{ name: "north" }] });
    expect(await read()).toBe(403);
  });
});

describe("two Batons", () => {
  test("talk to each other: a team answers a team of another service, with the secret of one agent", async () => {
    const [here, there] = [await useTeamApp(), await useTeamApp()];
    there.stub.answerWith((request) => `heard ${promptOf(request).includes("Thanks") ? "thanks" : "you"}`);
    const remote = await makeTeam(there.ada, {
      agents: await makeAgents(there.ada, "Bea"),
      externalAgents: [{ name: "here" }],
    });
    const { secret } = (await there.ada.post(`/api/agent-teams/${remote.id}/external-agents/here/secret`))
      .body;
    await here.ada.put("/api/variables/there_secret", { value: secret, secret: true });
    const team = await makeTeam(here.ada, {
      externalAgents: [
        {
          name: "there",
          url: `${there.address}/a2a/${remote.id}`,
          credential: { secret: "there_secret", header: "x-a2a-secret" },
        },
      ],
    });
    const sessionId = await run(here.ada, team.id, "Hello");
    const answers = async () =>
      (await readLog(here.ada, sessionId))
        .filter(({ from }) => from.id === "there")
        .map(({ content }) => content["text"]);
    await expect.poll(answers, { timeout: 10_000 }).toEqual(["heard you"]);
    await here.ada.post(`/api/agent-teams/sessions/${sessionId}/messages`, { content: "Thanks" });
    await expect.poll(answers, { timeout: 10_000 }).toEqual(["heard you", "heard thanks"]);
    const { sessions } = (await there.ada.get(`/api/agent-teams/${remote.id}/sessions`)).body;
    expect(sessions).toHaveLength(1);
    await here.ada.post(`/api/agent-teams/sessions/${sessionId}/cancel`);
  });
});
