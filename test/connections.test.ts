import { expect, test } from "vitest";
import { shareApp } from "./support/shared-app.ts";
import type { RegisteredUser } from "./support/test-app.ts";
import { sendJson, startVendor } from "./support/vendor.ts";

const { app, alice, bob } = await shareApp(["alice", "bob"]);

async function store(given: object, user: RegisteredUser = alice) {
  const { status, body } = await user.post("/api/connections", { name: "Vendor", ...given });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.connection;
}

const read = async (id: string) => (await alice.get(`/api/connections/${id}`)).body.connection;

async function runStep(fields: object, user: RegisteredUser = alice) {
  const steps = [{ stepId: "call", type: "http", maxRetries: 0, ...fields }];
  const created = await user.post("/api/workflows", { name: "Calls", metadata: { steps, edges: [] } });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const { body } = await user.post(`/api/workflows/${created.body.workflow.id}/run?wait=true`, {});
  const { body: result } = await user.get(`/api/tasks/${body.taskId}`);
  return { task: result.task, step: result.stepResults?.[0] ?? result.task.stepResults?.[0], all: result };
}

test.each([
  [
    "api_key",
    { in: "header", name: "X-Key", prefix: "Token " },
    { key: "hush-hush-1\n" },
    { "x-key": "Token hush-hush-1" },
  ],
  ["bearer", {}, { token: "hush-hush-2" }, { authorization: "Bearer hush-hush-2" }],
  [
    "basic",
    { username: "ada" },
    { password: "hush-hush-3" },
    { authorization: `Basic ${btoa("ada:hush-hush-3")}` },
  ],
  [
    "headers",
    {},
    { headers: { "X-A": "hush-hush-4", Cookie: "sid=hush-hush-5" } },
    { "x-a": "hush-hush-4", cookie: "sid=hush-hush-5" },
  ],
])(
  "a connection of the kind %s is sent by an http step, and its secret is never shown",
  async (kind, settings, secrets, headers) => {
    const vendor = await startVendor((request, response) =>
      sendJson(response, 200, { got: request.headers }, { "x-echo": JSON.stringify(secrets) }),
    );
    const connection = await store({ kind, settings, secrets, hosts: [vendor.host] });
    expect(connection).toMatchObject({
      kind,
      name: "Vendor",
      app: null,
      hosts: [vendor.host],
      status: "untested",
    });
    const { task, all } = await runStep({
      url: `${vendor.url}/me`,
      connection: connection.id,
      headers: { authorization: "mine" },
    });
    expect(task).toMatchObject({ status: "completed" });
    expect(vendor.requests[0]?.headers).toMatchObject(headers);
    const listed = (await alice.get("/api/connections")).body;
    const rows = await app.sql("select * from connection");
    const journal = await app.sql("select * from journal");
    const shown = JSON.stringify([connection, listed, rows, journal, all]);
    expect(shown).not.toMatch(/hush-hush/);
    expect(shown).not.toContain(btoa("ada:hush-hush-3"));
    expect(await read(connection.id)).toMatchObject({ status: "connected", problem: null });
  },
);

test("an API key in the query is sent, and is in no result, also when the URL has a query of its own", async () => {
  const vendor = await startVendor((request, response) => sendJson(response, 400, { asked: request.url }));
  const { id } = await store({
    kind: "api_key",
    settings: { in: "query", name: "key" },
    secrets: { key: "hush hush/6" },
    hosts: [vendor.host],
  });
  const { task, all } = await runStep({ url: `${vendor.url}/a?b=%20c&key=x`, connection: id });
  expect(task.error).toMatchObject({ code: "http_error" });
  expect(new URL(vendor.requests[0]?.url ?? "", vendor.url).searchParams.getAll("key")).toEqual([
    "hush hush/6",
  ]);
  expect(JSON.stringify(all)).not.toMatch(/hush(\+|%20| )hush/);
});

test("a step cannot send a connection to another host, another port or another user's connection", async () => {
  const vendor = await startVendor((_request, response) => sendJson(response, 200, {}));
  const { id } = await store({ kind: "bearer", secrets: { token: "hush-hush" }, hosts: ["127.0.0.1:1"] });
  const { task } = await runStep({ url: vendor.url, connection: id });
  expect(task.error).toMatchObject({ code: "connection_host_not_allowed" });
  expect(vendor.requests).toEqual([]);
  const stolen = await runStep({ url: vendor.url, connection: id }, bob);
  expect(stolen.task.error).toMatchObject({ code: "forbidden" });
  const unknown = await runStep({ url: vendor.url, connection: "conn_unknown" });
  expect(unknown.task.error).toMatchObject({ code: "connection_not_found" });
  for (const connection of ["{{input.id}}", "", 1, "mcp_1"]) {
    const metadata = { steps: [{ stepId: "a", type: "http", url: vendor.url, connection }], edges: [] };
    expect((await alice.post("/api/workflows", { name: "x", metadata })).status, String(connection)).toBe(
      422,
    );
  }
});

test("a vendor that redirects to another host does not get the credential there", async () => {
  const elsewhere = await startVendor((_request, response) => sendJson(response, 200, { stolen: true }));
  const vendor = await startVendor((request, response) => {
    if (request.url === "/same?key=hush-hush" || request.url === "/same")
      sendJson(response, 200, { fine: true });
    else {
      const location = request.url?.startsWith("/away") ? `${elsewhere.url}/` : "/same";
      response.writeHead(307, { location }).end();
    }
  });
  for (const given of [
    { kind: "bearer", secrets: { token: "hush-hush" } },
    { kind: "api_key", settings: { in: "query", name: "key" }, secrets: { key: "hush-hush" } },
    { kind: "headers", secrets: { headers: { accept: "hush-hush" } } },
  ]) {
    const { id } = await store({ ...given, hosts: [vendor.host] });
    const away = await runStep({ url: `${vendor.url}/away`, connection: id, method: "POST", body: "hello" });
    expect(away.task.error).toMatchObject({ code: "connection_host_not_allowed" });
    expect(elsewhere.requests).toEqual([]);
    vendor.requests.length = 0;
    expect((await runStep({ url: `${vendor.url}/here`, connection: id })).task.status).toBe("completed");
    expect(vendor.requests.map((each) => JSON.stringify(each).includes("hush-hush"))).toEqual([true, true]);
  }
  // A second host of the connection gets it, too.
  const { id } = await store({
    kind: "bearer",
    secrets: { token: "hush-hush" },
    hosts: [vendor.host, elsewhere.host],
  });
  expect((await runStep({ url: `${vendor.url}/away`, connection: id })).task.status).toBe("completed");
  expect(elsewhere.requests[0]?.headers).toMatchObject({ authorization: "Bearer hush-hush" });
});

test("a refused credential fails the step, marks the connection, and the next success repairs it", async () => {
  let status = 401;
  const vendor = await startVendor((_request, response) =>
    sendJson(response, status, { ok: status === 200 }),
  );
  const { id } = await store({ kind: "bearer", secrets: { token: "hush-hush" }, hosts: [vendor.host] });
  const { task } = await runStep({ url: vendor.url, connection: id });
  expect(task.error).toMatchObject({
    code: "connection_authorization_required",
    message: expect.stringContaining('Reconnect "Vendor"'),
  });
  expect(await read(id)).toMatchObject({
    status: "failing",
    problem: { message: expect.stringContaining("401") },
  });
  status = 200;
  await runStep({ url: vendor.url, connection: id });
  expect(await read(id)).toMatchObject({ status: "connected", problem: null });
});

test("a new destination needs the secret again; a new name does not", async () => {
  const { id } = await store({
    kind: "bearer",
    secrets: { token: "hush-hush" },
    hosts: ["a.example", "b.example"],
  });
  const patch = (change: object) => alice.patch(`/api/connections/${id}`, change);
  expect((await patch({ name: "Renamed", hosts: ["a.example"] })).body.connection).toMatchObject({
    name: "Renamed",
    hosts: ["a.example"],
  });
  const refused = await patch({ hosts: ["a.example", "evil.example"] });
  expect(refused).toMatchObject({
    status: 400,
    body: { error: "invalid_request", details: [{ path: "secrets" }] },
  });
  expect((await read(id)).hosts).toEqual(["a.example"]);
  expect(await patch({ hosts: ["c.example"], secrets: { token: "hush-hush-7" } })).toMatchObject({
    status: 200,
  });
  expect(await patch({ secrets: { token: "" } })).toMatchObject({ status: 400 });
  const mail = { host: "mail.example", port: 465, security: "tls", user: "ada" };
  const smtp = await store({ kind: "smtp", settings: mail, secrets: { password: "hush-hush" } });
  const moved = await alice.patch(`/api/connections/${smtp.id}`, { settings: { host: "evil.example" } });
  expect(moved).toMatchObject({ status: 400, body: { details: [{ path: "secrets" }] } });
  const renamed = await alice.patch(`/api/connections/${smtp.id}`, {
    settings: { user: "ada@mail.example" },
  });
  expect(renamed.body.connection.settings).toEqual({ ...mail, user: "ada@mail.example" });
});

test.each([
  [{ kind: "bearer", secrets: { token: "x" } }, "hosts"],
  [{ kind: "bearer", secrets: { token: "x" }, hosts: ["https://a.example"] }, "hosts"],
  [{ kind: "bearer", secrets: { token: "a\r\nx: y" }, hosts: ["a.example"] }, "secrets"],
  [{ kind: "bearer", hosts: ["a.example"] }, "secrets"],
  [{ kind: "api_key", secrets: { key: "x" }, hosts: ["a.example"] }, "settings.name"],
  [{ kind: "api_key", settings: { name: "Host" }, secrets: { key: "x" }, hosts: ["a.example"] }, "secrets"],
  [{ kind: "headers", secrets: { headers: { host: "x" } }, hosts: ["a.example"] }, "secrets"],
  [{ kind: "database", secrets: { url: "http://a.example" } }, "secrets.url"],
  [{ kind: "oauth2", hosts: ["a.example"] }, "settings.tokenUrl"],
  [{ kind: "telepathy" }, "kind"],
])("the invalid connection %j is refused at %s", async (given, path) => {
  const { status, body } = await alice.post("/api/connections", { name: "x", ...given });
  expect(status).toBe(400);
  expect(JSON.stringify(body.details)).toContain(path);
});

test("an unknown app is refused, and what is shown of a database is not its password", async () => {
  const given = { name: "x", kind: "bearer", app: "no-such-app", secrets: { token: "x" } };
  expect(await alice.post("/api/connections", given)).toMatchObject({
    status: 404,
    body: { error: "app_not_found" },
  });
  const url = "postgres://ada:hush%20hush@db.example:5433/shop?sslpassword=hush";
  const { settings } = await store({ kind: "database", secrets: { url } });
  expect(settings).toEqual({
    type: "postgres",
    host: "db.example",
    port: 5433,
    database: "shop",
    user: "ada",
  });
});

test("a deleted connection is gone", async () => {
  const { id } = await store({ kind: "bearer", secrets: { token: "x" }, hosts: ["a.example"] });
  expect((await alice.delete(`/api/connections/${id}`)).status).toBe(200);
  expect((await alice.get(`/api/connections/${id}`)).body.error).toBe("connection_not_found");
});

test("a connection is tested before and after it is saved, and its problem is shown", async () => {
  let status = 200;
  const vendor = await startVendor((request, response) =>
    sendJson(response, request.headers.authorization === "Bearer hush-hush" ? status : 401, {}),
  );
  const given = {
    name: "Vendor",
    kind: "bearer",
    settings: { testUrl: `${vendor.url}/me` },
    secrets: { token: "hush-hush" },
    hosts: [vendor.host],
  };
  const unsaved = await alice.post("/api/connections/test", given);
  expect(unsaved.body).toMatchObject({ ok: true, status: "connected", message: "", account: null });
  const wrong = await alice.post("/api/connections/test", { ...given, secrets: { token: "hush-wrong" } });
  const refused = `${vendor.host} refused the credential. Check it and test again.`;
  expect(wrong.body).toMatchObject({ status: "failing", message: refused });
  const elsewhere = { ...given, hosts: ["a.example"] };
  expect((await alice.post("/api/connections/test", elsewhere)).body.message).toContain("not sent to");

  const { id } = await store(given);
  status = 503;
  expect((await alice.post(`/api/connections/${id}/test`, {})).body).toMatchObject({ status: "failing" });
  expect(await read(id)).toMatchObject({
    status: "failing",
    problem: { message: expect.stringContaining("503") },
    lastTestAt: expect.any(String),
  });
  status = 200;
  await alice.post(`/api/connections/${id}/test`, {});
  expect(await read(id)).toMatchObject({ status: "connected", problem: null });
  const { id: untested } = await store({ ...given, settings: {} });
  expect((await alice.post(`/api/connections/${untested}/test`, {})).body).toMatchObject({
    status: "untested",
  });
  expect((await bob.post(`/api/connections/${id}/test`, {})).status).toBe(403);
});

test("what uses a connection is listed, drafts and loops included, and it is deleted only when that is meant", async () => {
  const { id } = await store({ kind: "bearer", secrets: { token: "x" }, hosts: ["a.example"] });
  const http = { stepId: "call", type: "http", url: "https://a.example/", connection: id };
  const loop = {
    stepId: "each",
    type: "foreach",
    items: "{{input.items}}",
    steps: [http],
    edges: [],
  };
  const create = async (name: string, steps: object[]) =>
    (await alice.post("/api/workflows", { name, metadata: { steps, edges: [] } })).body.workflow.id as string;
  const nested = await create("Nested", [loop]);
  const drafted = await create("Drafted", [{ ...http, connection: undefined }]);
  const draft = { metadata: { steps: [http], edges: [] } };
  expect((await alice.put(`/api/workflows/${drafted}/draft`, draft)).status).toBe(200);
  await create("Other", [{ ...http, connection: undefined }]);
  const { usedBy } = await read(id);
  expect(usedBy).toEqual({
    workflows: [
      { id: nested, name: "Nested" },
      { id: drafted, name: "Drafted" },
    ],
    triggers: [],
    agents: [],
    mcpServers: [],
    teams: [],
  });
  const listed = (await alice.get("/api/connections?limit=100")).body.connections;
  expect(listed.find((each: { id: string }) => each.id === id)).toMatchObject({ uses: 2 });
  await alice.delete(`/api/workflows/${drafted}/draft`);
  expect((await read(id)).usedBy.workflows).toEqual([{ id: nested, name: "Nested" }]);
  expect((await alice.put(`/api/workflows/${drafted}/draft`, draft)).status).toBe(200);
  const refused = await alice.delete(`/api/connections/${id}`);
  expect(refused).toMatchObject({ status: 409, body: { error: "connection_in_use", details: usedBy } });
  expect(refused.body.message).toContain("Nested, Drafted");
  expect((await bob.delete(`/api/connections/${id}?force=true`)).status).toBe(403);
  expect((await alice.delete(`/api/connections/${id}?force=true`)).status).toBe(200);
});

test("saving a workflow warns about connections that do not exist", async () => {
  const { id } = await store({ kind: "bearer", secrets: { token: "x" }, hosts: ["a.example"] });
  const call = (stepId: string, connection: string) => ({
    stepId,
    type: "http",
    url: "https://a.example",
    connection,
  });
  const steps = [
    call("known", id),
    { stepId: "each", type: "foreach", items: [1], steps: [call("unknown", "conn_elsewhere")], edges: [] },
  ];
  const save = async (user: RegisteredUser) =>
    (await user.post("/api/workflows", { name: "x", metadata: { steps, edges: [] } })).body.warnings.filter(
      ({ code }: { code: string }) => code === "unknown_connection",
    );
  expect(await save(alice)).toEqual([
    { code: "unknown_connection", stepId: "unknown", message: expect.stringContaining("a.example") },
  ]);
  expect(await save(bob)).toHaveLength(2);
});
