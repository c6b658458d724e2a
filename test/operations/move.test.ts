import { rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { migrate } from "../../server/storage/migrate.ts";
import { migrations } from "../../server/storage/migrations/all.ts";
import { openPostgres } from "../../server/storage/postgres/open-postgres.ts";
import { openConnection } from "../../server/storage/sqlite/connection.ts";
import { DATABASE_FILE, openSqlite } from "../../server/storage/sqlite/sqlite-db.ts";
import { upload } from "../documents/upload.ts";
import { clientOf } from "../support/client.ts";
import { linkLocalModel } from "../support/local-model.ts";
import { lines, pdfOf } from "../support/pdf.ts";
import { asAdmin, useDatabase } from "../support/postgres.ts";
import { runCommand, startCommand } from "../support/run-command.ts";
import { startService } from "../support/service-process.ts";
import { startStubBucket } from "../support/stub-bucket.ts";
import { sendJson, startVendor } from "../support/vendor.ts";
import { createTestApp, type RegisteredUser, registerUser, useTemporaryFolder } from "../support/test-app.ts";

let dataDir: string;
beforeEach(async () => {
  dataDir = await useTemporaryFolder();
  await linkLocalModel(dataDir);
});

/** Its accounts and workspaces are one table. */
const BEFORE_WORKSPACES = migrations.findIndex(({ name }) => name === "workspaces");
const LARGE = "large ".repeat(60_000);

/** An instance with one record of each kind: a document, a secret, a file, a file between steps, a large output and an open approval. */
async function makeInstance() {
  const app = await createTestApp({}, { dataDir });
  const ada = await registerUser(app, "ada");
  await ada.put("/api/variables/token", { value: "s3cret", secret: true });
  const vendor = await startVendor((request, response) =>
    sendJson(response, request.headers.authorization === "Bearer hush-hush-token" ? 200 : 401, {}),
  );
  const connection = await ada.post("/api/connections", {
    name: "Vendor",
    kind: "bearer",
    hosts: [vendor.host],
    settings: { testUrl: vendor.url },
    secrets: { token: "hush-hush-token" },
  });
  const connectionId = connection.body.connection.id as string;
  const steps = [
    { stepId: "large", type: "transform", template: "{{input.text}}" },
    { stepId: "write", type: "file", action: "write", path: "a b/c.txt", content: "{{input.text}}" },
    { stepId: "report", type: "convert", operation: "write", format: "csv", input: [{ pump: "Halden 40" }] },
    { stepId: "human", type: "approval", message: "Go on?" },
    { stepId: "read", type: "file", action: "read", path: "a b/c.txt" },
  ];
  const edges = ["large", "write", "report", "human"].map((source, i) => ({
    id: source,
    source,
    target: steps[i + 1]!.stepId,
  }));
  const { workflow } = (await ada.post("/api/workflows", { name: "Everything", metadata: { steps, edges } }))
    .body;
  const { taskId } = (
    await ada.post(`/api/workflows/${workflow.id}/run?wait=true`, { input: { text: LARGE } })
  ).body;
  const uploaded = await upload(ada, await pdfOf([lines(["The Halden 40 pump takes in 1,100 watts."])]));
  expect(uploaded.status).toBe(201);
  const called = [{ stepId: "call", type: "http", url: vendor.url, connection: connectionId }];
  await ada.post("/api/workflows", { name: "Calls", metadata: { steps: called, edges: [] } });
  await app.stop();
  return { ada, connectionId, taskId: taskId as string, workflowId: workflow.id as string };
}

/** The moved instance has the same data, and its open approval can be decided. */
async function expectMoved(
  settings: Record<string, string>,
  made: { ada: RegisteredUser; connectionId: string; taskId: string; workflowId: string },
) {
  const app = await createTestApp(settings, { dataDir });
  onTestFinished(() => app.stop());
  const { email, password } = made.ada;
  const { token } = (await app.anonymous.post("/api/auth/login", { email, password })).body;
  const ada = clientOf(app.http, token);
  expect((await ada.get(`/api/workflows/${made.workflowId}`)).body.workflow.name).toBe("Everything");
  expect((await ada.get("/api/variables")).body.variables).toMatchObject([{ name: "token", secret: true }]);
  const tested = await ada.post(`/api/connections/${made.connectionId}/test`, {});
  expect(tested.body).toMatchObject({ status: "connected" });
  const { usedBy } = (await ada.get(`/api/connections/${made.connectionId}`)).body.connection;
  expect(usedBy.workflows).toMatchObject([{ name: "Calls" }]);
  expect((await ada.post(`/api/tasks/${made.taskId}/resume`)).body.status).toBe("running");
  const task = async () => (await ada.get(`/api/tasks/${made.taskId}`)).body.task;
  const { output: report } = (await task()).stepResults.find(
    ({ stepId }: { stepId: string }) => stepId === "report",
  );
  expect((await ada.get(`/api/run-files/${report.file}`)).text).toBe("pump\r\nHalden 40\r\n");
  await expect.poll(async () => (await task()).status, { timeout: 30_000 }).toBe("completed");
  expect((await task()).result.output === LARGE).toBe(true);
  const query = "How many watts does the Halden pump take?";
  const [source] = (await ada.post("/api/v1/documents/query", { query })).body.sources;
  expect(source.quote).toContain("1,100 watts");
  const file = await ada.get(`/api/v1/documents/${source.document_id}/file`);
  expect(file.text.startsWith("%PDF-")).toBe(true);
}

test("a stopped instance continues in PostgreSQL with all its data and cannot be started by mistake afterwards", async () => {
  const made = await makeInstance();
  const url = await useDatabase();
  const moved = await runCommand("move", ["--to", url], { DATA_DIR: dataDir });
  expect(moved).toMatchObject({
    code: 0,
    output: expect.stringMatching(/task: 2 rows, identical on both sides/),
  });
  expect(moved.output).not.toContain(url);
  await expectMoved({ DATA_DIR: dataDir, DATABASE_URL: url }, made);

  const embedded = startService({ DATA_DIR: dataDir });
  expect(await embedded.exit()).toBe(1);
  expect(embedded.output()).toContain("was moved to");
  const again = await runCommand("move", ["--to", url], { DATA_DIR: dataDir });
  expect(again).toMatchObject({ code: 1, output: expect.stringContaining("was moved to") });
});

test("with --files s3 the files are copied to the bucket and the folder is no longer needed", async () => {
  const made = await makeInstance();
  const bucket = await startStubBucket();
  onTestFinished(() => bucket.close());
  const url = await useDatabase();
  const { code, output } = await runCommand("move", ["--to", url, "--files", "s3"], {
    DATA_DIR: dataDir,
    ...bucket.settings,
  });
  expect([code, output]).toEqual([0, expect.stringMatching(/files: 4, \d+ bytes, identical on both sides/)]);
  for (const name of ["files", "blobs", "documents", "run-files"])
    await rm(join(dataDir, name), { recursive: true });
  await expectMoved({ DATA_DIR: dataDir, DATABASE_URL: url, ...bucket.settings }, made);
  // Settings that would leave files behind are refused.
  const forgotten = await runCommand("move", ["--to", url], { DATA_DIR: dataDir, ...bucket.settings });
  expect(forgotten.output).toContain("Add --files s3");
  const nowhere = await runCommand("move", ["--to", url, "--files", "s3"], { DATA_DIR: dataDir });
  expect(nowhere.output).toContain("S3_BUCKET");
});

test("a running instance is not moved", async () => {
  const service = startService({ DATA_DIR: dataDir });
  await service.ready();
  const result = await runCommand("move", ["--to", await useDatabase()], { DATA_DIR: dataDir });
  expect(result).toMatchObject({ code: 1, output: expect.stringContaining(`process ${service.child.pid}`) });
});

function inDatabase(sql: string): void {
  const database = openConnection(join(dataDir, DATABASE_FILE));
  database.exec(sql);
  database.close();
}

/** An instance with one account and many finished tasks, inserted directly. */
async function makeLargeInstance(tasks: number): Promise<RegisteredUser> {
  const app = await createTestApp({}, { dataDir });
  const ada = await registerUser(app, "ada");
  await app.stop();
  inDatabase(`with recursive n (i) as (select 1 union all select i + 1 from n where i < ${tasks})
    insert into task (id, owner_id, workflow_id, workflow_version, status, trigger, input, depth, epoch, wake, lives, lives_seq, created_at)
    select 'task_' || printf('%08d', i), 'user_x', 'wf_x', 1, 'completed', 'api', '{"n":' || i || '}', 0, 1, 0, 0, 0, i from n`);
  return ada;
}

const TASKS = 1000;

/** Starts a move and kills it between two batches of tasks: the server delays the batch with the 500th. */
async function startAndKill(url: string): Promise<void> {
  const db = await openPostgres({ url });
  await migrate(db, migrations, 0);
  await asAdmin(
    url,
    `create function wait_for_ever() returns trigger language plpgsql as 'begin perform pg_sleep(3600); return new; end'`,
    `create trigger wait_for_ever before insert on task for each row when (new.id = 'task_00000500')
       execute function wait_for_ever()`,
  );
  const moving = startCommand("move", ["--to", url], { DATA_DIR: dataDir });
  const isWaiting = async () =>
    (
      await db.query(
        "select 1 as found from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'",
      )
    ).length > 0;
  await expect.poll(isWaiting, { timeout: 60_000 }).toBe(true);
  moving.child.kill("SIGKILL");
  await moving.ended;
  await db.close();
  await asAdmin(
    url,
    // Its server process would insert the batch after the sleep.
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    "drop trigger wait_for_ever on task",
  );
}

test("a killed move resumes where it stopped, and no service starts on the partial copy", async () => {
  await makeLargeInstance(TASKS);
  const url = await useDatabase();
  await startAndKill(url);
  const half = startService({ DATA_DIR: join(dataDir, "elsewhere"), DATABASE_URL: url });
  expect([await half.exit(), half.output()]).toEqual([1, expect.stringContaining("npm run move")]);

  const { code, output } = await runCommand("move", ["--to", url], { DATA_DIR: dataDir });
  expect([code, output]).toEqual([
    0,
    expect.stringContaining(`task: ${TASKS} rows, identical on both sides`),
  ]);
  const [, left] = /task: (\d+) rows copied/.exec(output) ?? [];
  expect(Number(left)).toBeLessThan(TASKS);
});

test("an instance used after an interrupted move is not merged with the earlier copy", async () => {
  const { token } = await makeLargeInstance(TASKS);
  const url = await useDatabase();
  await startAndKill(url);
  const app = await createTestApp({}, { dataDir });
  const changed = await clientOf(app.http, token).put("/api/variables/changed", { value: "since" });
  expect(changed.status).toBeLessThan(300);
  await app.stop();
  const result = await runCommand("move", ["--to", url], { DATA_DIR: dataDir });
  expect(result).toMatchObject({
    code: 1,
    output: expect.stringContaining("was used after its move was interrupted"),
  });
});

test("a difference is reported by table and the move does not complete", async () => {
  await makeLargeInstance(TASKS);
  const url = await useDatabase();
  await startAndKill(url);
  await asAdmin(url, "update task set input = '{}' where id = 'task_00000001'");
  const result = await runCommand("move", ["--to", url], { DATA_DIR: dataDir });
  expect(result).toMatchObject({
    code: 1,
    output: expect.stringContaining(`task (${TASKS} rows here, ${TASKS} there)`),
  });
  const half = startService({ DATA_DIR: join(dataDir, "elsewhere"), DATABASE_URL: url });
  expect(await half.exit()).toBe(1);
});

test("an instance of an older version is migrated first; one of a newer version is refused", async () => {
  const older = openSqlite({ folder: dataDir });
  await migrate(older, migrations.slice(0, BEFORE_WORKSPACES), 0);
  await older.batch([
    {
      sql: "insert into account (id, email, name, password_hash, created_at) values ('user_1', 'ada@example.com', 'Ada', '', 0)",
    },
  ]);
  await older.close();
  const moved = await runCommand("move", ["--to", await useDatabase()], { DATA_DIR: dataDir });
  expect([moved.code, moved.output]).toEqual([
    0,
    expect.stringContaining("account: 1 rows, identical on both sides"),
  ]);

  await rm(join(dataDir, "NOT-IN-USE.txt"));
  inDatabase("insert into schema_migration (version, name, applied_at) values (99, 'newer', 0)");
  const newer = await runCommand("move", ["--to", await useDatabase()], { DATA_DIR: dataDir });
  expect([newer.code, newer.output]).toEqual([1, expect.stringContaining("schema version 99")]);
});

test("a database with other data is not touched", async () => {
  await makeLargeInstance(10);
  const url = await useDatabase();
  const other = await createTestApp({ DATABASE_URL: url }, { dataDir: join(dataDir, "other") });
  await registerUser(other);
  await other.stop();
  const result = await runCommand("move", ["--to", url], { DATA_DIR: dataDir });
  expect(result).toMatchObject({
    code: 1,
    output: expect.stringMatching(/not empty: its table \w+ has rows/),
  });
});
