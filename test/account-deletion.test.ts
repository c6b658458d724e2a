import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { io } from "socket.io-client";
import { expect, onTestFinished, test } from "vitest";
import { reach, save, start } from "../server/engine/testing/workbench.ts";
import { upload } from "./documents/upload.ts";
import { publish } from "./support/endpoints.ts";
import { ownedRecords } from "./support/owned-records.ts";
import { lines, pdfOf } from "./support/pdf.ts";
import { registerUser, type RegisteredUser, type TestApp, useTestApp } from "./support/test-app.ts";

const isPostgres = process.env["TEST_DATABASE"] === "postgres";
const COLUMNS = isPostgres
  ? `select table_name as name, column_name as col from information_schema.columns
     where table_schema = 'public' and column_name in ('owner_id', 'user_id')`
  : `select m.name, c.name as col from sqlite_master as m join pragma_table_info(m.name) as c
     where m.type = 'table' and c.name in ('owner_id', 'user_id')`;
/** Reserved names outlive the account; the log of changed documents has only ids, and other processes read it. An event is moved to the outbox at once. */
const KEPT = new Set(["name_reservation", "document_change", "account_deletion", "run_event"]);
/** Rows that belong to a record instead of an owner. */
const DEPENDENT = [
  "run_event",
  "journal",
  "task_input",
  "task_file",
  "workflow_version",
  "workflow_draft",
  "workflow_use",
  "webhook_delivery",
  "trigger_item",
  "store_receipt",
  "session_message",
  "external_agent_secret",
  "document_page",
  "document_chunk",
  "document_vectors",
  "collection_document",
  "document_sentence",
  "oauth_token",
  "api_app_action",
];

const removeAccount = (user: RegisteredUser, password = user.password) =>
  user.call("/api/auth/me", { method: "DELETE", body: { password } });

async function count(app: TestApp, sql: string): Promise<number> {
  return Number((await app.sql(`select count(*) as n from ${sql}`))[0]?.["n"]);
}

/** Rows of this owner by table. */
async function rowsOf(app: TestApp, ownerId: string): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  for (const { name, col } of (await app.sql(COLUMNS)) as { name: string; col: string }[])
    if (!KEPT.has(name)) rows[name] = await count(app, `${name} where ${col} = '${ownerId}'`);
  return rows;
}

/** One record of every kind, a run that waits, a file and an output that is too large for a row. */
async function createEverything(app: TestApp, user: RegisteredUser): Promise<void> {
  // Statistics store only hours that have passed.
  await app.sql(
    `insert into task_hour (owner_id, scope, hour, counts) values ('${user.user.id}', '', 1, '{}')`,
  );
  await app.sql(
    `insert into client_call (id, owner_id, protocol, method, caller_name, status, duration_ms, at)
     values ('call_1', '${user.user.id}', 'mcp', 'tools/list', 'Key', 'ok', 1, 1)`,
  );
  await app.sql(
    `insert into a2a_task (id, owner_id, agent_id, caller, context_id, created_at)
     values ('task_${user.user.id}', '${user.user.id}', 'wf_x', 'key_x', 'x', 1)`,
  );
  await app.sql(
    `insert into a2a_message (id, owner_id, task_id, role, message_id, parts, created_at)
     values ('msg_${user.user.id}', '${user.user.id}', 'x', 'user', 'x', '[]', 1)`,
  );
  await app.sql(
    `insert into a2a_push_config (id, owner_id, agent_id, caller, task_id, context_id, config_id, url, sealed, protocol, created_at)
     values ('push_${user.user.id}', '${user.user.id}', 'wf_x', 'key_x', 'task_${user.user.id}', 'x', 'x', 'http://x', '', '1.0', 1)`,
  );
  await user.post("/api/auth/second-factor/setup");
  await app.sql(`insert into recovery_code (user_id, hash) values ('${user.user.id}', 'x')`);
  await app.sql(
    `insert into account_link (hash, user_id, purpose, created_at, expires_at) values ('x', '${user.user.id}', 'x', 1, 1)`,
  );
  await app.sql(
    `insert into external_identity (issuer, subject, user_id, created_at) values ('x', 'x', '${user.user.id}', 1)`,
  );
  await app.sql(
    `insert into workspace_usage (owner_id, runs, run_bytes, journal_rows, journal_bytes, files, file_bytes, documents, document_bytes, measured_at)
     values ('${user.user.id}', 1, 1, 1, 1, 1, 1, 1, 1, 1)`,
  );
  for (const { create } of ownedRecords) await create(user);
  await app.sql(
    `insert into workflow_move (workflow_id, owner_id, created_at)
     select min(id), owner_id, ${Date.now()} from workflow where owner_id = '${user.user.id}' group by owner_id`,
  );
  await user.post("/api/workflows/folders", { folder: "Private" });
  // Fills the index of the search.
  await user.get("/api/search?q=private");
  await app.sql(
    `insert into chat_exchange (id, owner_id, trigger_id, conversation, message_id, message, status, created_at)
     select 'msg_' || id, owner_id, id, 'x', 'x', 'x', 'running', 1 from triggers where owner_id = '${user.user.id}'`,
  );
  await user.put("/api/exposures/documents/all", { mcp: true });
  await app.sql(
    `insert into remote_task (session_id, agent, message_id, owner_id, team_id, state, reply, attempts, created_at)
     select id, 'scout', 'msg_1', owner_id, team_id, 'ended', '{}', 0, 1 from session where owner_id = '${user.user.id}'`,
  );
  const wait = { stepId: "wait", type: "wait_event", event: "paid" };
  const waiting = await start(user, await save(user, [wait]));
  await reach(user, waiting, "waiting");
  await app.sql(
    `insert into run_group_member (task_id, group_key, owner_id, max_running, state, created_at)
     values ('${waiting}', 'x', '${user.user.id}', 1, 'running', 1)`,
  );
  const of = `'${user.user.id}', '${user.user.id}'`;
  await app.sql(
    `insert into notification (id, owner_id, kind, title, message, count, first_at, last_at)
     values ('note_${user.user.id}', '${user.user.id}', 'run_failed', 'x', 'x', 1, 1, 1)`,
  );
  await app.sql(
    `insert into notification_read (notification_id, owner_id, user_id, count, read_at) values ('note_${user.user.id}', ${of}, 1, 1)`,
  );
  await app.sql(
    `insert into notification_mail (notification_id, owner_id, user_id) values ('note_${user.user.id}', ${of})`,
  );
  await app.sql(`insert into notification_person (owner_id, user_id) values (${of})`);
  await user.post("/api/events", { name: "shipped", key: "1" });
  const tagged = await pdfOf([lines(["The door opens with 4712."])]);
  expect((await upload(user, tagged, { metadata: { tags: ["private"] } })).status).toBe(201);
  await user.put("/api/variables/region", { value: "eu" });
  await user.put("/api/variables/token", { value: "hush-hush", secret: true });
  const steps = [
    { stepId: "write", type: "file", action: "write", path: "a/b.txt", content: "{{input.text}}" },
    { stepId: "large", type: "transform", template: "{{input.text}}" },
  ];
  const { workflow } = (await user.post("/api/workflows", { name: "Large", metadata: { steps } })).body;
  const input = { text: "x".repeat(400_000) };
  expect((await user.post(`/api/workflows/${workflow.id}/run?wait=true`, { input })).status).toBe(200);
}

/** The service removes such a row at its next look for failed runs. */
const insertFailedRun = (app: TestApp, ownerId: string) =>
  app.sql(`insert into failed_run (task_id, epoch, owner_id, failed_at)
           select id, 1, owner_id, 1 from task where owner_id = '${ownerId}' and status = 'waiting'
             and lane = 'task'
           on conflict do nothing`);

const blobsOf = async (app: TestApp) =>
  (await readdir(join(app.dataDir, "blobs"))).filter((name) => name !== ".unfinished");
const isGone = async (app: TestApp, ownerId: string) =>
  (await count(app, `account where id = '${ownerId}'`)) === 0;

test("a deleted account leaves nothing behind, and other accounts keep everything", async () => {
  const app = await useTestApp();
  const bob = await registerUser(app, "bob");
  await bob.put("/api/variables/region", { value: "us" });
  const alice = await registerUser(app, "alice");
  await createEverything(app, alice);
  await bob.post("/api/v1/collections", { name: "Shared", shared_with: { emails: [alice.email] } });
  let before: Record<string, number> = {};
  // A new table with owners must be filled here and deleted by its feature.
  const emptyTables = async () => {
    await insertFailedRun(app, alice.user.id);
    before = await rowsOf(app, alice.user.id);
    return Object.keys(before).filter((table) => before[table] === 0);
  };
  await expect.poll(emptyTables, { timeout: 30_000 }).toEqual([]);
  expect(existsSync(join(app.dataDir, "files", alice.user.id))).toBe(true);
  expect(existsSync(join(app.dataDir, "run-files", alice.user.id))).toBe(true);
  expect(await blobsOf(app)).not.toEqual([]);

  expect((await removeAccount(alice)).body).toEqual({ ok: true });
  await expect.poll(() => isGone(app, alice.user.id), { timeout: 30_000 }).toBe(true);
  const after = await rowsOf(app, alice.user.id);
  expect(after).toEqual(Object.fromEntries(Object.keys(before).map((table) => [table, 0])));
  for (const table of DEPENDENT) expect([table, await count(app, table)]).toEqual([table, 0]);
  // The team workspace in which Alice was alone is deleted after her account.
  await expect.poll(() => count(app, "account_deletion"), { timeout: 30_000 }).toBe(0);
  expect(existsSync(join(app.dataDir, "files", alice.user.id))).toBe(false);
  expect(existsSync(join(app.dataDir, "run-files", alice.user.id))).toBe(false);
  expect(await blobsOf(app)).toEqual([]);
  expect((await bob.get("/api/variables")).body.variables).toHaveLength(1);
});

test("[S22] tokens, sockets and streams of a deleted account end at once", async () => {
  const app = await useTestApp();
  const address = await app.listen();
  const ada = await registerUser(app, "ada");
  const socket = io(address, { auth: { token: ada.token }, transports: ["websocket"], reconnection: false });
  onTestFinished(() => void socket.close());
  await new Promise<void>((resolve, reject) => socket.on("connect", resolve).on("connect_error", reject));
  const disconnected = new Promise((resolve) => socket.on("disconnect", resolve));
  const steps = [{ stepId: "ask", type: "approval", message: "Go on?" }];
  const { workflow } = (await ada.post("/api/workflows", { name: "Ask", metadata: { steps } })).body;
  const { taskId } = (await ada.post(`/api/workflows/${workflow.id}/run?wait=true`, {})).body;
  const headers = { authorization: `Bearer ${ada.token}` };
  const stream = await fetch(`${address}/api/tasks/${taskId}/events`, { headers });

  expect((await removeAccount(ada)).status).toBe(200);
  const refused = await ada.get("/api/auth/me");
  expect([refused.status, refused.body.error]).toEqual([401, "invalid_token"]);
  await disconnected;
  await stream.text().catch(() => "");
  const login = await app.anonymous.post("/api/auth/login", { email: ada.email, password: ada.password });
  expect([login.status, login.body.error]).toEqual([401, "invalid_credentials"]);
});

test("a wrong password deletes nothing", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  const refused = await removeAccount(ada, "not the password");
  expect([refused.status, refused.body.error]).toEqual([401, "invalid_credentials"]);
  expect((await ada.get("/api/auth/me")).status).toBe(200);
  expect(await count(app, "account_deletion")).toBe(0);
});

test("the email address can be registered again; names of endpoints and webhooks stay reserved", async () => {
  const app = await useTestApp();
  const ada = await registerUser(app, "ada");
  const workflow = await publish(ada, { endpointName: "orders" });
  const webhook = { name: "Orders", source: "orders", workflowId: workflow.id };
  expect((await ada.post("/api/webhooks", webhook)).status).toBe(201);
  expect((await removeAccount(ada)).status).toBe(200);
  const again = { email: ada.email, password: ada.password };
  expect((await app.anonymous.post("/api/auth/register", again)).status).toBe(201);
  await expect.poll(() => isGone(app, ada.user.id), { timeout: 30_000 }).toBe(true);
  const eve = await registerUser(app, "eve");
  const own = await publish(eve, { endpointName: "mine" });
  const renamed = await eve.patch(`/api/workflows/${own.id}`, { apiSettings: { endpointName: "orders" } });
  expect(renamed.body.error).toBe("slug_taken");
  const taken = await eve.post("/api/webhooks", { ...webhook, workflowId: own.id });
  expect(taken.body.error).toBe("source_taken");
});

test("a deletion that a stop interrupted is finished by the next start", async () => {
  const first = await useTestApp();
  const alice = await registerUser(first, "alice");
  await createEverything(first, alice);
  await removeAccount(alice);
  await first.stop();
  const second = await useTestApp({}, { dataDir: first.dataDir });
  await expect.poll(() => isGone(second, alice.user.id), { timeout: 30_000 }).toBe(true);
  const left = Object.values(await rowsOf(second, alice.user.id));
  expect(left.every((rows) => rows === 0)).toBe(true);
});

test("after the last account of a set-up instance was deleted, the next one needs the set-up code again", async () => {
  const app = await useTestApp({ HOST: "0.0.0.0", ALLOW_REGISTRATION: "" });
  const setupCode = await app.setupCode();
  const account = { email: "ada@example.com", password: "password of ada", setupCode };
  const { token } = (await app.anonymous.post("/api/auth/register", account)).body;
  const removed = await app.anonymous.call("/api/auth/me", {
    method: "DELETE",
    headers: { authorization: `Bearer ${token}` },
    body: { password: account.password },
  });
  expect(removed.status).toBe(200);
  const { setupCode: _code, ...withoutCode } = account;
  const refused = await app.anonymous.post("/api/auth/register", withoutCode);
  expect(refused.body.error).toBe("setup_code_required");
  expect(await app.setupCode()).toBe(setupCode);
  expect((await app.anonymous.post("/api/auth/register", account)).status).toBe(201);
});
