import { expect, test } from "vitest";
import { shareApp } from "./support/shared-app.ts";

const { app, alice } = await shareApp(["alice"]);

test("apps are listed with actions and triggers, and each has its fields and samples", async () => {
  const { apps } = (await alice.get("/api/apps")).body;
  const slack = apps.find(({ id }: { id: string }) => id === "slack");
  expect(slack).toMatchObject({ title: "Slack", connected: false, auth: ["oauth2", "bearer"] });
  expect(slack.actions).toContainEqual(expect.objectContaining({ id: "send_message", writes: true }));
  expect(slack.actions).toContainEqual(expect.objectContaining({ id: "list_messages", writes: false }));
  expect(slack.triggers).toContainEqual(expect.objectContaining({ id: "new_message", kind: "polling" }));

  const { app: details } = (await alice.get("/api/apps/slack")).body;
  const action = (id: string) => details.actions.find((one: { id: string }) => one.id === id);
  expect(action("send_message").input.channel).toMatchObject({
    type: "string",
    required: true,
    options: "channels",
  });
  expect(action("list_messages")).toMatchObject({
    input: { limit: { maximum: 1000 } },
    sample: [{ type: "message" }],
  });
  expect(details.auth[0]).toMatchObject({ kind: "oauth2", scopes: expect.arrayContaining(["chat:write"]) });

  const missing = await alice.get("/api/apps/none");
  expect([missing.status, missing.body.error]).toEqual([404, "app_not_found"]);
});

test("a workflow with an unknown action or without a required input is not saved", async () => {
  const save = (input: object, action = "send_message") =>
    alice.post("/api/workflows", {
      name: "Notify",
      metadata: {
        steps: [{ stepId: "a", type: "app", app: "slack", action, connection: "conn_1", input }],
        edges: [],
      },
    });
  expect((await save({ channel: "C1", text: "{{input.text}}" })).status).toBe(201);
  const { status, body } = await save({ channel: "C1" });
  expect([status, body.error, body.errors[0].code]).toEqual([422, "invalid_workflow", "missing_field"]);
  expect((await save({}, "send")).body.message).toContain('Slack has no action "send"');
});

test("a trigger of an app needs a trigger that exists, a connection of the app and its inputs", async () => {
  const { workflow } = (
    await alice.post("/api/workflows", { name: "On message", metadata: { steps: [], edges: [] } })
  ).body;
  const connect = async (app: string) =>
    (
      await alice.post("/api/connections", {
        kind: "bearer",
        app,
        name: app,
        settings: {},
        secrets: { token: "xoxb-123456" },
      })
    ).body.connection.id;
  const [slack, github] = [await connect("slack"), await connect("github")];
  const create = (settings: object) =>
    alice.post("/api/triggers", {
      kind: "app",
      workflowId: workflow.id,
      active: false,
      settings: { app: "slack", trigger: "new_message", ...settings },
    });
  const input = { channel: "C1" };
  const created = await create({ connection: slack, input });
  expect(created).toMatchObject({
    status: 201,
    body: {
      trigger: {
        kind: "app",
        settings: { app: "slack", trigger: "new_message", connection: slack, input, startWith: "new" },
      },
    },
  });
  const refusals: [object, number, string][] = [
    [{ connection: slack, input: {} }, 400, "Channel is required."],
    [{ connection: slack, input, trigger: "none" }, 400, 'Slack has no trigger "none".'],
    [{ connection: slack, input, app: "none" }, 404, 'There is no app "none".'],
    [{ connection: github, input }, 400, "The connection belongs to github, not to Slack."],
    [{ connection: "conn_none", input }, 404, 'There is no connection "conn_none".'],
  ];
  for (const [settings, status, message] of refusals) {
    const { body, ...answer } = await create(settings);
    expect([answer.status, body.message]).toEqual([status, message]);
  }
  const change = await alice.patch(`/api/triggers/${created.body.trigger.id}`, { settings: { input: {} } });
  expect(change.status).toBe(400);
  const { apps } = (await alice.get("/api/apps")).body;
  expect(apps.find(({ id }: { id: string }) => id === "slack").connected).toBe(true);
});

test("an event without a valid signature, or for no trigger, starts nothing", async () => {
  const { workflow } = (
    await alice.post("/api/workflows", { name: "On event", metadata: { steps: [], edges: [] } })
  ).body;
  const connection = (
    await alice.post("/api/connections", {
      kind: "bearer",
      app: "github",
      name: "Hub",
      settings: {},
      secrets: { token: "ghp_123456" },
    })
  ).body.connection.id;
  const settings = {
    app: "github",
    trigger: "repository_event",
    connection,
    input: { repository: "a/b", events: ["push"] },
  };
  const { trigger } = (await alice.post("/api/triggers", { kind: "app", workflowId: workflow.id, settings }))
    .body;
  const deliver = async (id: string) =>
    (
      await app.http.inject({
        method: "POST",
        url: `/webhook/t/${id}`,
        headers: { "content-type": "application/json", "x-hub-signature-256": "sha256=00" },
        payload: "{}",
      })
    ).statusCode;
  await expect
    .poll(async () => (await alice.get(`/api/triggers/${trigger.id}`)).body.trigger.lastError?.message)
    .toBe("The vendor cannot reach this service. Set PUBLIC_URL to its public address.");
  expect(await deliver("trg_none")).toBe(404);
  expect(await deliver(trigger.id)).toBe(404);
  expect((await alice.get(`/api/triggers/${trigger.id}/items`)).body.items).toEqual([]);
  expect((await alice.delete(`/api/triggers/${trigger.id}`)).status).toBe(200);
});

test("an agent takes actions of an app with a connection of it, and no others", async () => {
  const connection = (
    await alice.post("/api/connections", {
      kind: "bearer",
      app: "slack",
      name: "Team",
      settings: {},
      secrets: { token: "xoxb-654321" },
    })
  ).body.connection.id;
  const create = (apps: object) =>
    alice.post("/api/agents", { name: "Ann", tools: { workflows: [], documents: [], apps: [apps] } });
  const tools = {
    app: "slack",
    connection,
    actions: ["send_message"],
    permissions: { send_message: "never" },
  };
  expect(await create(tools)).toMatchObject({ status: 201, body: { agent: { tools: { apps: [tools] } } } });
  expect((await create({ ...tools, actions: ["none"] })).body.message).toBe('Slack has no action "none".');
  expect((await create({ ...tools, app: "github" })).status).toBe(400);
  expect((await create({ ...tools, connection: "conn_none" })).body.error).toBe("connection_not_found");
  expect((await create({ ...tools, permissions: { send_message: "maybe" } })).status).toBe(400);
});
