import { describe, expect, test } from "vitest";
import { registerUser } from "../support/test-app.ts";
import { startTokenVendor } from "../support/token-vendor.ts";
import { sendJson, startVendor } from "../support/vendor.ts";
import { outsideAgent } from "./outside-agent.ts";
import { ended, promptOf, makeAgents, makeTeam, readLog, run, speakerOf, useTeamApp } from "./team-app.ts";

describe("an external agent with a URL", () => {
  test("receives the message as a webhook, and its reply is appended to the log", async () => {
    const { ada } = await useTeamApp();
    const scout = await outsideAgent((path) =>
      path === "/" ? { body: { content: { text: "nothing to see" } } } : { status: 404 },
    );
    const team = await makeTeam(ada, {
      agents: await makeAgents(ada, "Ann"),
      externalAgents: [{ name: "scout", capabilities: [], url: scout.url }],
    });
    const sessionId = await run(ada, team.id, "Look around");
    await ended(ada, sessionId);
    expect(scout.received.find(({ path }) => path === "/")).toMatchObject({
      body: {
        sessionId,
        teamId: team.id,
        messageId: expect.stringMatching(/^msg_/),
        seq: 1,
        type: "user_prompt",
        content: { text: "Look around" },
      },
      headers: { "idempotency-key": expect.stringMatching(/^msg_/) },
    });
    const reply = (await readLog(ada, sessionId)).find(({ from }) => from.id === "scout");
    expect(reply).toMatchObject({
      from: { id: "scout", type: "external" },
      type: "agent_result",
      content: { text: "nothing to see" },
    });
  });

  test("is called over A2A if it serves an agent card", async () => {
    const { ada, stub } = await useTeamApp();
    stub.answerWith((request) =>
      promptOf(request).includes("seen all") ? "The scout has seen all." : "@scout: look there",
    );
    const scout = await outsideAgent((path, body) => {
      if (path === "/.well-known/agent-card.json")
        return {
          body: {
            supportedInterfaces: [
              { url: `${scout.url}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
            ],
          },
        };
      return {
        body: {
          jsonrpc: "2.0",
          id: body.id,
          result: { message: { messageId: "1", role: "ROLE_AGENT", parts: [{ text: "I have seen all" }] } },
        },
      };
    });
    const team = await makeTeam(ada, {
      topology: "hierarchical",
      agents: await makeAgents(ada, "Ann"),
      externalAgents: [{ name: "scout", url: scout.url }],
    });
    const session = await ended(ada, await run(ada, team.id));
    expect(session.result?.output).toBe("The scout has seen all.");
    expect(scout.received.at(-1)).toMatchObject({
      path: "/rpc",
      headers: { "a2a-version": "1.0" },
      body: { method: "SendMessage", params: { message: { parts: [{ text: "look there" }] } } },
    });
  });

  test("that fails leaves an error entry, and the lead gets a turn", async () => {
    const { ada, stub } = await useTeamApp();
    stub.answerWith((request) =>
      promptOf(request).includes("503")
        ? "Done without."
        : speakerOf(request) === "Ann"
          ? "@scout: look"
          : "",
    );
    const scout = await outsideAgent((path) => (path === "/" ? { status: 503 } : { status: 404 }));
    const team = await makeTeam(ada, {
      topology: "hierarchical",
      agents: await makeAgents(ada, "Ann"),
      externalAgents: [{ name: "scout", url: scout.url }],
    });
    const sessionId = await run(ada, team.id);
    expect((await ended(ada, sessionId)).result?.output).toBe("Done without.");
    expect((await readLog(ada, sessionId))[2]).toMatchObject({
      from: { id: "scout" },
      type: "error",
      content: { code: "external_agent_failed" },
    });
  });

  test("[S6] is called through the egress guard", async () => {
    const { ada } = await useTeamApp({ EGRESS_DENY: "127.0.0.1:1" });
    const team = await makeTeam(ada, {
      externalAgents: [
        { name: "scout", url: "http://127.0.0.1:1/" },
        { name: "thief", url: "http://169.254.169.254/" },
      ],
      agents: await makeAgents(ada, "Ann"),
    });
    const sessionId = await run(ada, team.id);
    await ended(ada, sessionId);
    const errors = (await readLog(ada, sessionId)).filter(({ type }) => type === "error");
    // They are called at the same time.
    expect(errors.map(({ from, content }) => [from.id, content["code"]]).toSorted()).toEqual([
      ["scout", "egress_denied"],
      ["thief", "egress_denied"],
    ]);
  });

  test("receives messages at once, each one once, while an inside agent is busy", async () => {
    const { ada, stub } = await useTeamApp();
    stub.answerWith({ hang: true });
    const scout = await outsideAgent((path, body) =>
      path === "/" ? { body: { content: { text: `heard ${body.content.text}` } } } : { status: 404 },
    );
    const team = await makeTeam(ada, {
      agents: await makeAgents(ada, "Ann"),
      externalAgents: [{ name: "scout", url: scout.url }],
    });
    const sessionId = await run(ada, team.id, "Look around");
    const heard = async () =>
      (await readLog(ada, sessionId))
        .filter(({ from }) => from.id === "scout")
        .map(({ content }) => content["text"]);
    await expect.poll(heard).toEqual(["heard Look around"]);
    const posted = await ada.post(`/api/agent-teams/sessions/${sessionId}/messages`, {
      to: "scout",
      content: "Hurry",
    });
    expect(posted.body.ok).toBe(true);
    await expect.poll(heard).toEqual(["heard Look around", "heard Hurry"]);
    // Ann is still thinking about the first message.
    expect(stub.requests).toHaveLength(1);
    const messages = scout.received.filter(({ path }) => path === "/");
    expect(messages.map(({ body }) => body.content.text)).toEqual(["Look around", "Hurry"]);
    await ada.post(`/api/agent-teams/sessions/${sessionId}/cancel`);
    await ended(ada, sessionId);
  });
});

describe("an external agent with a connection", () => {
  const bearer = (hosts: string[]) => ({
    name: "Scout account",
    kind: "bearer",
    secrets: { token: "hush-hush" },
    hosts,
  });

  test("is renewed after a 401, and what it returns of the credential is redacted", async () => {
    const { ada } = await useTeamApp();
    const scout = await startTokenVendor((request, response) =>
      sendJson(response, 200, { content: { text: `you sent ${request.headers.authorization}` } }),
    );
    const { id: connection } = (await ada.post("/api/connections", scout.connection)).body.connection;
    const team = await makeTeam(ada, {
      agents: await makeAgents(ada, "Ann"),
      externalAgents: [{ name: "scout", capabilities: [], url: scout.url, connection }],
    });
    const { usedBy } = (await ada.get(`/api/connections/${connection}`)).body.connection;
    expect(usedBy.teams).toMatchObject([{ id: team.id }]);
    for (const tokens of [1, 2]) {
      const sessionId = await run(ada, team.id, "Look around");
      await ended(ada, sessionId);
      const log = await readLog(ada, sessionId);
      expect(log.find(({ from }) => from.id === "scout")).toMatchObject({
        content: { text: "you sent Bearer •••" },
      });
      expect(JSON.stringify(log)).not.toMatch(/hush/);
      expect(scout.requests.filter(({ url }) => url === "/token")).toHaveLength(tokens);
      scout.expireTokens();
    }
    scout.refuseAll();
    const refused = await run(ada, team.id, "Look around");
    await ended(ada, refused);
    expect((await readLog(ada, refused)).find(({ type }) => type === "error")).toMatchObject({
      content: { code: "connection_authorization_required" },
    });
  });

  test("whose card names another host gets no credential there", async () => {
    const { ada } = await useTeamApp();
    const elsewhere = await startVendor((_request, response) => sendJson(response, 200, {}));
    const scout = await startVendor((_request, response) =>
      sendJson(response, 200, {
        supportedInterfaces: [
          { url: `${elsewhere.url}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
        ],
      }),
    );
    const { id: connection } = (await ada.post("/api/connections", bearer([scout.host]))).body.connection;
    const team = await makeTeam(ada, {
      agents: await makeAgents(ada, "Ann"),
      externalAgents: [{ name: "scout", capabilities: [], url: scout.url, connection }],
    });
    const sessionId = await run(ada, team.id);
    await ended(ada, sessionId);
    expect((await readLog(ada, sessionId)).find(({ type }) => type === "error")).toMatchObject({
      content: { code: "connection_host_not_allowed" },
    });
    expect(elsewhere.requests).toEqual([]);
  });

  test("needs one of the owner, and no other credential", async () => {
    const { app, ada } = await useTeamApp();
    const bob = await registerUser(app, "bob");
    const { id: bobs } = (await bob.post("/api/connections", bearer(["a.example"]))).body.connection;
    const save = (more: object) =>
      ada.post("/api/agent-teams", {
        name: "Team",
        externalAgents: [{ name: "scout", url: "https://a.example", ...more }],
      });
    const missing = { status: 404, body: { error: "connection_not_found" } };
    expect(await save({ connection: bobs })).toMatchObject(missing);
    expect(await save({ connection: "conn_unknown" })).toMatchObject(missing);
    const { body } = await save({});
    const change = { externalAgents: [{ name: "scout", url: "https://a.example", connection: bobs }] };
    expect(await ada.patch(`/api/agent-teams/${body.team.id}`, change)).toMatchObject(missing);
    expect((await save({ connection: bobs, credential: { secret: "key" } })).status).toBe(400);
  });
});
