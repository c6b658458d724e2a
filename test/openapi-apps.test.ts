import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeEach, expect, test } from "vitest";
import { resultOf, runSteps } from "./support/run-steps.ts";
import { shareApp } from "./support/shared-app.ts";
import { createTeamWorkspace, inWorkspace } from "./support/workspaces.ts";
import { registerUser, useTestApp } from "./support/test-app.ts";

interface Received {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

const received: Received[] = [];
let document: unknown;
/** The service of the documents below: serves the document itself, and answers with what it received. */
const vendor = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const { method = "", url = "", headers } = request;
    response.setHeader("content-type", "application/json");
    if (url !== "/openapi.json")
      received.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
    if (url === "/v1/items/refused") response.statusCode = 422;
    if (url.startsWith("/v1/private") && headers["x-api-key"] !== "k-123456") response.statusCode = 401;
    const answer =
      url === "/openapi.json"
        ? document
        : { id: received.length, seen: url, error: { message: "The item is sold out." } };
    response.end(JSON.stringify(answer));
  });
});
await new Promise<void>((resolve) => vendor.listen(0, "127.0.0.1", resolve));
afterAll(() => vendor.close());
const origin = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`;

const { alice, bob } = await shareApp(["alice", "bob"]);

const shop = (paths: object = {}, more: object = {}) => ({
  openapi: "3.1.0",
  info: { title: "Shop", description: "Sells things." },
  servers: [{ url: `${origin}/v1` }, { url: "https://eu.shop.example/v1" }],
  components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Api-Key" } } },
  security: [{ key: [] }],
  paths: {
    "/items": {
      get: { operationId: "listItems", summary: "List items", tags: ["items"], security: [] },
      post: {
        operationId: "createItem",
        summary: "Create an item",
        parameters: [{ name: "X-Trace", in: "header", schema: { type: "string" } }],
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: {
                type: "object",
                required: ["name"],
                properties: { name: { type: "string" }, price: { type: "number" } },
              },
            },
          },
        },
        responses: { 201: { content: { "application/json": { example: { id: 7, name: "Cup" } } } } },
      },
    },
    "/private/{id}": {
      get: {
        operationId: "getPrivate",
        summary: "Get a private item",
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
      },
    },
    ...paths,
  },
  ...more,
});

const importShop = async (given: object = { document: JSON.stringify(shop()) }, user = alice) =>
  user.post("/api/apps/import", given);
const connect = async (app: string, user = alice) =>
  (
    await user.post("/api/connections", {
      kind: "api_key",
      name: "Shop key",
      app,
      settings: {},
      secrets: { key: "k-123456" },
    })
  ).body.connection;

beforeEach(() => void received.splice(0));

test("a document becomes an app whose actions run like those of every other app", async () => {
  document = shop();
  const imported = await importShop({ url: `${origin}/openapi.json` });
  expect(imported.status).toBe(201);
  const { id } = imported.body.app;
  expect(id).toMatch(/^api_/);
  expect(imported.body.app).toMatchObject({
    title: "Shop",
    api: {
      source: `${origin}/openapi.json`,
      server: `${origin}/v1`,
      servers: [`${origin}/v1`, "https://eu.shop.example/v1"],
      operations: 3,
      actions: 3,
    },
  });

  const { apps } = (await alice.get("/api/apps")).body;
  expect(apps.find((one: { id: string }) => one.id === id)).toMatchObject({
    isOwn: true,
    connected: false,
    auth: ["api_key"],
    actions: [
      { id: "list_items", writes: false },
      { id: "create_item", writes: true },
      { id: "get_private" },
    ],
  });
  expect(apps.find((one: { id: string }) => one.id === "slack")).toMatchObject({ isOwn: false });
  const details = (await alice.get(`/api/apps/${id}?actions=create_item`)).body.app;
  expect(details.actions).toMatchObject([
    {
      id: "create_item",
      input: { name: { type: "string", required: true }, price: { type: "number" } },
      sample: { id: 7, name: "Cup" },
      needsConnection: true,
    },
  ]);

  const connection = await connect(id);
  expect(connection.hosts).toEqual([new URL(origin).host]);
  const task = await runSteps(
    alice,
    [
      {
        stepId: "create",
        type: "app",
        app: id,
        action: "create_item",
        connection: connection.id,
        input: { name: "{{input.name}}", price: 3.5, X_Trace: "t1" },
      },
      {
        stepId: "read",
        type: "app",
        app: id,
        action: "get_private",
        connection: connection.id,
        input: { id: "a/b" },
      },
      { stepId: "open", type: "app", app: id, action: "list_items" },
    ],
    { name: "Cup" },
  );
  expect(task.status).toBe("completed");
  expect(resultOf(task, "read").output).toMatchObject({ id: 2, seen: "/v1/private/a%2Fb" });
  expect(received.map(({ method, url }) => `${method} ${url}`)).toEqual([
    "POST /v1/items",
    "GET /v1/private/a%2Fb",
    "GET /v1/items",
  ]);
  expect(JSON.parse(received[0]!.body)).toEqual({ name: "Cup", price: 3.5 });
  expect(received[0]!.headers).toMatchObject({ "x-trace": "t1", "x-api-key": "k-123456" });
  // A public action sends no credential.
  expect(received[2]!.headers["x-api-key"]).toBeUndefined();
});

test("an action that needs a login says so, and an error of the service is a sentence", async () => {
  const { id } = (
    await importShop({
      document: JSON.stringify(shop({ "/items/refused": { post: { operationId: "refuse", security: [] } } })),
    })
  ).body.app;
  const run = async (action: string, input: object) =>
    resultOf(await runSteps(alice, [{ stepId: "a", type: "app", app: id, action, input }]), "a").error;
  expect(await run("get_private", { id: "1" })).toMatchObject({
    code: "invalid_field",
    message: expect.stringContaining("Choose a connection of Shop"),
  });
  expect(await run("refuse", {})).toMatchObject({
    code: "http_error",
    message: "Shop: The item is sold out.",
  });
  expect(await run("gone", {})).toMatchObject({ code: "app_action_not_found" });
});

test("a connection has one of the keys of an API, or all headers that it needs together", async () => {
  const header = (name: string) => ({ type: "apiKey", in: "header", name });
  const components = {
    securitySchemes: { a: header("X-A"), b: header("X-B"), one: header("X-One"), two: header("X-Two") },
  };
  const document = shop({}, { components, security: [{ a: [], b: [] }, { one: [] }, { two: [] }] });
  const { id } = (await importShop({ document: JSON.stringify(document) })).body.app;
  const make = (given: object) => alice.post("/api/connections", { name: "Shop", app: id, ...given });
  const send = async (given: object) => {
    const { connection } = (await make(given)).body;
    const step = {
      stepId: "get",
      type: "app",
      app: id,
      action: "get_private",
      connection: connection.id,
      input: { id: "1" },
    };
    await runSteps(alice, [step], { input: {} });
    return { settings: connection.settings, headers: received.at(-1)!.headers };
  };

  const second = await send({ kind: "api_key", settings: { name: "X-Two" }, secrets: { key: "k-two" } });
  expect(second).toMatchObject({ settings: { name: "X-Two" }, headers: { "x-two": "k-two" } });
  expect(second.headers).not.toHaveProperty("x-one");
  const both = await send({ kind: "headers", secrets: { headers: { "x-a": "k-a", "X-B": "k-b" } } });
  expect(both.headers).toMatchObject({ "x-a": "k-a", "x-b": "k-b" });

  const wrong = await make({ kind: "headers", secrets: { headers: { "X-A": "k-a", Cookie: "s=1" } } });
  expect(wrong.status).toBe(400);
  expect(wrong.body).toMatchObject({
    error: "invalid_request",
    message: "Shop needs the headers X-A and X-B.",
  });
});

test("a document of 5 MB with recursive schemas becomes an app", async () => {
  const name = { type: "string", description: "A name. ".repeat(60) };
  const node = {
    type: "object",
    properties: { name, children: { type: "array", items: { $ref: "#/components/schemas/Node" } } },
  };
  const operation = (index: number) => ({
    operationId: `createNode${index}`,
    summary: `Create node ${index}`,
    parameters: [{ name: "filter", in: "query", schema: { ...node, description: "x".repeat(1600) } }],
    requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Node" } } } },
    responses: {
      201: { content: { "application/json": { schema: { $ref: "#/components/schemas/Node" } } } },
    },
  });
  const paths = Object.fromEntries(
    Array.from({ length: 2000 }, (_, index) => [`/nodes${index}`, { post: operation(index) }]),
  );
  const document = JSON.stringify(shop(paths, { components: { schemas: { Node: node } }, security: [] }));
  expect(document.length).toBeGreaterThan(5_000_000);
  const imported = await importShop({ document });
  expect(imported.status).toBe(201);
  const { id, api } = imported.body.app;
  // An app has at most 2,000 actions.
  expect(api).toMatchObject({ operations: 2003, actions: 2000 });
  const details = (await alice.get(`/api/apps/${id}?actions=create_node1990`)).body.app;
  expect(details.actions).toMatchObject([{ id: "create_node1990", input: { name: { type: "string" } } }]);
});

test("the title, the server and the shown actions can be chosen, and a secret stays with its host", async () => {
  const { id } = (await importShop()).body.app;
  const connection = await connect(id);
  const changed = await alice.patch(`/api/apps/${id}`, {
    title: "My shop",
    server: "https://eu.shop.example/v1",
    hidden: ["list_items"],
  });
  expect(changed.body).toMatchObject({
    app: { title: "My shop", api: { server: "https://eu.shop.example/v1", hidden: ["list_items"] } },
    reconnect: [{ id: connection.id, name: "Shop key" }],
  });
  const { apps } = (await alice.get("/api/apps")).body;
  const listed = apps.find((one: { id: string }) => one.id === id);
  expect([listed.title, listed.actions.map((one: { id: string }) => one.id)]).toEqual([
    "My shop",
    ["create_item", "get_private"],
  ]);
  const { operations } = (await alice.get(`/api/apps/${id}/operations`)).body;
  expect(operations[0]).toMatchObject({ id: "list_items", method: "GET", path: "/items", tags: ["items"] });
  const step = { type: "app", app: id, action: "get_private", connection: connection.id, input: { id: "1" } };
  const task = await runSteps(alice, [{ stepId: "a", ...step }]);
  expect(resultOf(task, "a").error.code).toBe("connection_host_not_allowed");
  expect(received).toEqual([]);
  const bad = await alice.patch(`/api/apps/${id}`, { server: "ftp://shop.example" });
  expect([bad.status, bad.body.details[0].path]).toEqual([400, "server"]);
});

test("a refresh names what changed and the workflows that use it; a dry run stores nothing", async () => {
  document = shop({ "/old": { get: { operationId: "oldOne", summary: "Old one" } } });
  const { id } = (await importShop({ url: `${origin}/openapi.json` })).body.app;
  const use = { stepId: "a", type: "app", app: id, action: "old_one" };
  const loop = { stepId: "each", type: "foreach", items: [1], steps: [use], edges: [] };
  const { workflow } = (
    await alice.post("/api/workflows", { name: "Nightly", metadata: { steps: [loop], edges: [] } })
  ).body;
  document = shop({
    "/items": {
      get: { operationId: "listItems", parameters: [{ name: "q", in: "query", schema: { type: "string" } }] },
      post: shop().paths["/items"].post,
    },
    "/new": { get: { operationId: "newOne", summary: "New one" } },
  });
  const changes = {
    added: [{ id: "new_one", title: "New one" }],
    removed: [{ id: "old_one", title: "Old one", usedBy: [{ id: workflow.id, name: "Nightly" }] }],
    changed: [{ id: "list_items", title: "List items", usedBy: [] }],
  };
  const dry = await alice.post(`/api/apps/${id}/refresh`, { dryRun: true });
  expect(dry.body.changes).toMatchObject({ ...changes, changed: [{ id: "list_items" }] });
  const still = (await alice.get(`/api/apps/${id}/operations`)).body.operations;
  expect(still.map((one: { id: string }) => one.id)).toContain("old_one");

  expect((await alice.post(`/api/apps/${id}/refresh`)).body.changes.removed).toEqual(changes.removed);
  expect((await alice.post(`/api/apps/${id}/refresh`)).body.changes).toEqual({
    added: [],
    removed: [],
    changed: [],
  });
  const saved = await alice.patch(`/api/workflows/${workflow.id}`, { name: "Nightly 2" });
  expect(saved.status).toBe(200);
  const graph = { steps: [loop, { ...use, stepId: "b", app: "api_none" }], edges: [] };
  const warned = await alice.post("/api/workflows", { name: "Copy", metadata: graph });
  expect(warned.body.warnings).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ code: "unknown_app_action", stepId: "a" }),
      expect.objectContaining({ code: "unknown_app", stepId: "b" }),
    ]),
  );

  const pasted = (await importShop()).body.app.id;
  expect((await alice.post(`/api/apps/${pasted}/refresh`)).status).toBe(400);
  const replaced = await alice.post(`/api/apps/${pasted}/refresh`, { document: JSON.stringify(document) });
  expect(replaced.body.changes.added).toEqual(changes.added);
});

test("an app in use, or with a connection in use, is deleted only by force, with its connections", async () => {
  const { id } = (await importShop()).body.app;
  const connection = await connect(id);
  const steps = [{ stepId: "a", type: "http", url: `${origin}/v1/items`, connection: connection.id }];
  await alice.post("/api/workflows", { name: "By hand", metadata: { steps, edges: [] } });
  const own = [{ stepId: "a", type: "app", app: id, action: "list_items" }];
  await alice.post("/api/workflows", { name: "By app", metadata: { steps: own, edges: [] } });
  const refused = await alice.delete(`/api/apps/${id}`);
  expect([refused.status, refused.body.error]).toEqual([409, "app_in_use"]);
  expect(refused.body.details.workflows.map((one: { name: string }) => one.name).sort()).toEqual([
    "By app",
    "By hand",
  ]);
  expect((await alice.delete(`/api/apps/${id}?force=true`)).status).toBe(200);
  expect((await alice.get(`/api/connections/${connection.id}`)).status).toBe(404);
  expect((await alice.get(`/api/apps/${id}`)).body.error).toBe("app_not_found");
  expect((await alice.delete("/api/apps/slack")).status).toBe(404);
});

test("the file of a workflow names the APIs that its steps use, and can be imported", async () => {
  document = shop();
  const source = `${origin}/openapi.json`;
  const { id } = (await importShop({ url: source, title: "Corner shop" })).body.app;
  const steps = [{ stepId: "a", type: "app", app: id, action: "list_items" }];
  const save = async (given: object[]) =>
    (await alice.post("/api/workflows", { name: "Shared", metadata: { steps: given, edges: [] } })).body
      .workflow.id;
  const file = (await alice.get(`/api/workflows/${await save(steps)}/export`)).body;
  expect(file.apis).toEqual([{ id, title: "Corner shop", source }]);
  expect((await bob.post("/api/templates", file)).status).toBe(201);
  const plain = await save([{ stepId: "a", type: "transform", template: 1 }]);
  expect((await alice.get(`/api/workflows/${plain}/export`)).body).not.toHaveProperty("apis");
});

test("a builder deletes no app with connections of others; admins do", async () => {
  const team = await createTeamWorkspace(alice, [[bob, "builder"]]);
  const [admin, builder] = [inWorkspace(alice, team), inWorkspace(bob, team)];
  const { id } = (await importShop(undefined, admin)).body.app;
  const { id: connection } = await connect(id, admin);
  expect((await builder.delete(`/api/apps/${id}?force=true`)).body.error).toBe("forbidden");
  expect((await admin.get(`/api/connections/${connection}`)).status).toBe(200);
  expect((await admin.delete(`/api/apps/${id}`)).status).toBe(200);
  const own = (await importShop(undefined, builder)).body.app.id;
  await connect(own, builder);
  expect((await builder.delete(`/api/apps/${own}`)).status).toBe(200);
});

test("nobody else lists, reads or runs an app", async () => {
  const { id } = (await importShop()).body.app;
  const { apps } = (await bob.get("/api/apps")).body;
  expect(apps.some((one: { id: string }) => one.id === id)).toBe(false);
  expect((await bob.get(`/api/apps/${id}`)).status).toBe(403);
  const task = await runSteps(bob, [{ stepId: "a", type: "app", app: id, action: "list_items" }]);
  expect(resultOf(task, "a").error.code).toBe("app_not_found");
  expect(received).toEqual([]);
});

test("an agent uses chosen actions of an API as tools", async () => {
  const { id } = (await importShop()).body.app;
  const connection = await connect(id);
  const agent = (actions: string[]) =>
    alice.post("/api/agents", {
      name: "Helper",
      tools: { apps: [{ app: id, connection: connection.id, actions }] },
    });
  expect((await agent(["create_item"])).status).toBe(201);
  expect((await agent(["nothing"])).body.message).toContain('Shop has no action "nothing"');
});

test.each([
  [{}, 400, "invalid_request"],
  [{ url: "https://a.example", document: "{}" }, 400, "invalid_request"],
  [{ document: "not: openapi" }, 422, "unreadable_document"],
  [{ url: `${origin}/missing.json` }, 422, "unreadable_document"],
  [{ url: "http://169.254.169.254/openapi.json" }, 403, "egress_denied"],
  [{ document: JSON.stringify(shop({}, { servers: [] })) }, 422, "unreadable_document"],
])("%j is refused", async (given, status, code) => {
  const { status: got, body } = await importShop(given, bob);
  expect([got, body.error]).toEqual([status, code]);
});

test("a document without a server, or with another one, takes the address that is given", async () => {
  const text = JSON.stringify(shop({}, { servers: [] }));
  const { body } = await importShop({ document: text, server: `${origin}/v1/`, title: "Other" }, bob);
  expect(body.app).toMatchObject({ title: "Other", api: { server: `${origin}/v1`, servers: [] } });
});

test("a private server is refused where others can reach the instance, and allowed by EGRESS_ALLOW", async () => {
  const settings = { PUBLIC_URL: "https://baton.example", ALLOW_REGISTRATION: "true" };
  const given = { document: JSON.stringify(shop()) };
  const closed = await registerUser(await useTestApp(settings), "carol");
  const refused = await closed.post("/api/apps/import", given);
  expect([refused.status, refused.body.error]).toEqual([403, "egress_denied"]);
  expect(refused.body.message).toMatch(/not on the public internet.*EGRESS_ALLOW.*another server/);
  const open = await registerUser(await useTestApp({ ...settings, EGRESS_ALLOW: "127.0.0.1" }), "carol");
  expect((await open.post("/api/apps/import", given)).status).toBe(201);
});
