import { afterAll, expect, test } from "vitest";
import { shareApp } from "./support/shared-app.ts";
import { startMailServer } from "./support/mail-server.ts";
import { registerUser, useTestApp } from "./support/test-app.ts";

const LOGIN = { user: "ada@mail.example", password: "hush-hush-1" };
const server = await startMailServer(LOGIN);
afterAll(() => server.close());
const { hostname: host, port } = new URL(server.url);
const { alice, bob } = await shareApp(["alice", "bob"], {
  SMTP_URL: "smtp://127.0.0.1:1",
  SMTP_FROM: "x@example.com",
});

const smtp = (settings: object = {}, password = LOGIN.password) => ({
  name: "Post office",
  kind: "smtp",
  settings: { host, port: Number(port), security: "none", user: LOGIN.user, ...settings },
  secrets: { password },
});

async function connect(given: object, user = alice): Promise<string> {
  const { status, body } = await user.post("/api/connections", given);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.connection.id;
}

async function sendMail(connection: string, user = alice) {
  const step = {
    stepId: "mail",
    type: "email",
    to: "bob@mail.example",
    subject: "Hello",
    text: "Hi",
    connection,
  };
  const metadata = { steps: [{ ...step, maxRetries: 0 }], edges: [] };
  const { body } = await user.post("/api/workflows", { name: "Mail", metadata });
  const run = await user.post(`/api/workflows/${body.workflow.id}/run?wait=true`, {});
  return (await user.get(`/api/tasks/${run.body.taskId}`)).body;
}

test("an email is sent through an SMTP connection, in its name, and a refused login marks it", async () => {
  const connection = await connect(smtp());
  const { task } = await sendMail(connection);
  expect(task).toMatchObject({ status: "completed" });
  expect(server.received.at(-1)).toMatchObject({ to: ["bob@mail.example"] });
  expect(server.received.at(-1)?.raw).toContain("From: ada@mail.example");
  expect((await alice.get(`/api/connections/${connection}`)).body.connection).toMatchObject({
    status: "connected",
    usedBy: { workflows: [{ name: "Mail" }] },
  });
  const named = await connect(smtp({ from: "Ada <office@mail.example>" }));
  await sendMail(named);
  expect(server.received.at(-1)?.raw).toContain("From: Ada <office@mail.example>");

  const wrong = await connect(smtp({}, "hush-wrong"));
  const refused = await sendMail(wrong);
  expect(refused.task.error).toMatchObject({ code: "connection_authorization_required" });
  expect(JSON.stringify(refused)).not.toMatch(/hush/);
  expect((await alice.get(`/api/connections/${wrong}`)).body.connection.status).toBe("failing");
  expect((await sendMail("conn_unknown")).task.error.code).toBe("connection_not_found");
});

test("an SMTP connection is tested by a login that sends nothing", async () => {
  const before = server.received.length;
  const check = async (given: object) => (await alice.post("/api/connections/test", given)).body;
  expect(await check(smtp())).toMatchObject({ status: "connected", account: LOGIN.user });
  const wrong = await check(smtp({}, "hush-wrong"));
  expect(wrong).toMatchObject({ status: "failing", message: expect.stringContaining("refused") });
  expect(JSON.stringify(wrong)).not.toMatch(/hush/);
  expect((await check(smtp({ port: 1 }))).message).toContain("The connection to 127.0.0.1 failed");
  expect(server.received).toHaveLength(before);
});

test("mail servers of connections pass the egress guard", async () => {
  const app = await useTestApp({ PUBLIC_URL: "https://baton.example" });
  const eve = await registerUser(app, "eve");
  const connection = await connect(smtp(), eve as typeof alice);
  expect((await sendMail(connection, eve as typeof alice)).task.error.code).toBe("egress_denied");
  const imap = { ...smtp(), kind: "imap" };
  for (const given of [smtp(), imap])
    expect((await eve.post("/api/connections/test", given)).body.message).toContain(
      "not on the public internet",
    );
});

test("an email trigger takes an IMAP connection of its owner in place of host and password", async () => {
  const imap = await connect({ ...smtp(), kind: "imap" });
  const bobs = await connect({ ...smtp(), kind: "imap" }, bob);
  const outgoing = await connect(smtp());
  const { body } = await alice.post("/api/workflows", { name: "x", metadata: { steps: [], edges: [] } });
  const create = (settings: object, more: object = {}) =>
    alice.post("/api/triggers", {
      kind: "email",
      workflowId: body.workflow.id,
      active: false,
      settings,
      ...more,
    });
  const missing = { status: 404, body: { error: "connection_not_found" } };
  expect(await create({ connection: bobs })).toMatchObject(missing);
  expect(await create({ connection: "conn_unknown" })).toMatchObject(missing);
  expect((await create({ connection: outgoing })).status).toBe(400);
  expect((await create({ connection: imap }, { password: "x" })).status).toBe(400);
  expect((await create({ host: "mail.example", user: "ada" })).status).toBe(400);
  expect((await create({}, { password: "x" })).status).toBe(400);

  const created = await create({ connection: imap });
  expect(created.body.trigger.settings).toMatchObject({ connection: imap, host: "", user: "" });
  const { id } = created.body.trigger;
  expect((await alice.get(`/api/connections/${imap}`)).body.connection.usedBy.triggers).toMatchObject([
    { id },
  ]);
  expect((await alice.delete(`/api/connections/${imap}`)).status).toBe(409);
  const patch = (change: object) => alice.patch(`/api/triggers/${id}`, change);
  expect(await patch({ settings: { connection: bobs } })).toMatchObject(missing);
  const own = { connection: null, host: "mail.example", user: "ada" };
  expect((await patch({ settings: own })).status).toBe(400);
  expect((await patch({ settings: own, password: "secret" })).body.trigger.settings).toMatchObject(own);
  expect((await patch({ settings: { connection: imap } })).body.trigger.settings.connection).toBe(imap);
});
