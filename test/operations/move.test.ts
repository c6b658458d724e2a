import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { migrate } from "../../server/storage/migrate.ts";
import { migrations } from "../../server/storage/migrations/all.ts";
import { openPostgres } from "../../server/storage/postgres/open-postgres.ts";
import { openConnection } from "../../server/storage/sqlite/connection.ts";
import { DATABASE_FILE, openSqlite } from "../../server/storage/sqlite/sqlite-db.ts";
import { formOf, MULTIPART } from "../documents/upload.ts";
import { lines, pdfOf } from "../support/pdf.ts";
import { asAdmin, useDatabase } from "../support/postgres.ts";
import { runCommand, startCommand } from "../support/run-command.ts";
import { startService } from "../support/service-process.ts";
import { startStubBucket } from "../support/stub-bucket.ts";
import { temporaryFolder } from "../support/test-app.ts";

let dataDir: string;
beforeEach(async () => {
  dataDir = await temporaryFolder();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const LARGE = "large ".repeat(60_000);
const ACCOUNT = { email: "ada@example.com", password: "long enough" };

/** A client of a service, logged in. */
async function login(address: string, how: "register" | "login") {
  const call = async (method: string, path: string, body?: unknown, token = "") => {
    const response = await fetch(address + path, {
      method,
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return (await response.json()) as any;
  };
  const { token } = await call("POST", `/api/auth/${how}`, ACCOUNT);
  return {
    token: token as string,
    get: (path: string) => call("GET", path, undefined, token),
    post: (path: string, body: unknown = {}) => call("POST", path, body, token),
    put: (path: string, body: unknown) => call("PUT", path, body, token),
  };
}

/** An instance with one record of each kind: a document, a secret, a file, a large output and an open approval. */
async function makeInstance() {
  const service = startService({ DATA_DIR: dataDir });
  const address = await service.ready();
  const ada = await login(address, "register");
  await ada.put("/api/variables/token", { value: "s3cret", secret: true });
  const steps = [
    { stepId: "large", type: "transform", template: "{{input.text}}" },
    { stepId: "write", type: "file", action: "write", path: "a b/c.txt", content: "{{input.text}}" },
    { stepId: "human", type: "approval", message: "Go on?" },
    { stepId: "read", type: "file", action: "read", path: "a b/c.txt" },
  ];
  const edges = ["large", "write", "human"].map((source, i) => ({
    id: source,
    source,
    target: ["write", "human", "read"][i],
  }));
  const { workflow } = await ada.post("/api/workflows", { name: "Everything", metadata: { steps, edges } });
  const { taskId } = await ada.post(`/api/workflows/${workflow.id}/run?wait=true`, {
    input: { text: LARGE },
  });
  const form = formOf([
    {
      name: "file",
      value: await pdfOf([lines(["The Halden 40 pump takes in 1,100 watts."])]),
      fileName: "pump.pdf",
    },
  ]);
  const uploaded = await fetch(`${address}/api/v1/documents/upload`, {
    method: "POST",
    headers: { "content-type": MULTIPART, authorization: `Bearer ${ada.token}` },
    body: new Uint8Array(form),
  });
  expect(uploaded.status).toBe(201);
  expect(await service.stop()).toBe(0);
  return { taskId: taskId as string, workflowId: workflow.id as string };
}

/** The moved instance has the same data, and its open approval can be decided. */
async function expectMoved(settings: Record<string, string>, made: { taskId: string; workflowId: string }) {
  const service = startService(settings);
  const ada = await login(await service.ready(), "login");
  expect((await ada.get(`/api/workflows/${made.workflowId}`)).workflow.name).toBe("Everything");
  expect((await ada.get("/api/variables")).variables).toMatchObject([{ name: "token", secret: true }]);
  expect((await ada.post(`/api/tasks/${made.taskId}/resume`)).status).toBe("running");
  const status = async () => (await ada.get(`/api/tasks/${made.taskId}`)).task.status;
  await expect.poll(status, { timeout: 30_000 }).toBe("completed");
  const { task } = await ada.get(`/api/tasks/${made.taskId}`);
  expect(task.result.output === LARGE).toBe(true);
  const { sources } = await ada.post("/api/v1/documents/query", {
    query: "How many watts does the Halden pump take?",
  });
  expect(sources[0].quote).toContain("1,100 watts");
  const file = await fetch(`${await service.ready()}/api/v1/documents/${sources[0].document_id}/file`, {
    headers: { authorization: `Bearer ${ada.token}` },
  });
  expect((await file.text()).startsWith("%PDF-")).toBe(true);
  expect(await service.stop()).toBe(0);
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
  expect([code, output]).toEqual([0, expect.stringMatching(/files: 3, \d+ bytes, identical on both sides/)]);
  for (const name of ["files", "blobs", "documents"]) await rm(join(dataDir, name), { recursive: true });
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

/** An instance with many finished tasks, inserted directly. */
async function makeLargeInstance(tasks: number): Promise<void> {
  const service = startService({ DATA_DIR: dataDir });
  await login(await service.ready(), "register");
  await service.stop();
  inDatabase(`with recursive n (i) as (select 1 union all select i + 1 from n where i < ${tasks})
    insert into task (id, owner_id, workflow_id, workflow_version, status, trigger, input, depth, epoch, wake, lives, lives_seq, created_at)
    select 'task_' || printf('%08d', i), 'user_x', 'wf_x', 1, 'completed', 'api', '{"n":' || i || '}', 0, 1, 0, 0, 0, i from n`);
}

async function startAndKill(url: string): Promise<void> {
  const db = await openPostgres({ url });
  const moving = startCommand("move", ["--to", url], { DATA_DIR: dataDir });
  const copied = () =>
    db.query<{ n: number }>("select count(*) as n from task").then(
      ([row]) => row?.n ?? 0,
      () => 0,
    );
  while ((await copied()) === 0 && moving.child.exitCode === null)
    await new Promise((resolve) => setImmediate(resolve));
  moving.child.kill("SIGKILL");
  await moving.ended;
  await db.close();
}

test("a killed move resumes where it stopped, and no service starts on the partial copy", async () => {
  await makeLargeInstance(30_000);
  const url = await useDatabase();
  await startAndKill(url);
  const half = startService({ DATA_DIR: join(dataDir, "elsewhere"), DATABASE_URL: url });
  expect([await half.exit(), half.output()]).toEqual([1, expect.stringContaining("npm run move")]);

  const { code, output } = await runCommand("move", ["--to", url], { DATA_DIR: dataDir });
  expect([code, output]).toEqual([0, expect.stringContaining("task: 30000 rows, identical on both sides")]);
  const [, left] = /task: (\d+) rows copied/.exec(output) ?? [];
  expect(Number(left)).toBeLessThan(30_000);
});

test("an instance used after an interrupted move is not merged with the earlier copy", async () => {
  await makeLargeInstance(30_000);
  const url = await useDatabase();
  await startAndKill(url);
  const service = startService({ DATA_DIR: dataDir });
  const ada = await login(await service.ready(), "login");
  await ada.put("/api/variables/changed", { value: "since" });
  await service.stop();
  const result = await runCommand("move", ["--to", url], { DATA_DIR: dataDir });
  expect(result).toMatchObject({
    code: 1,
    output: expect.stringContaining("was used after its move was interrupted"),
  });
});

test("a difference is reported by table and the move does not complete", async () => {
  await makeLargeInstance(30_000);
  const url = await useDatabase();
  await startAndKill(url);
  await asAdmin(url, "update task set input = '{}' where id = 'task_00000001'");
  const result = await runCommand("move", ["--to", url], { DATA_DIR: dataDir });
  expect(result).toMatchObject({
    code: 1,
    output: expect.stringMatching(/task \(30000 rows here, 30000 there\)/),
  });
  const half = startService({ DATA_DIR: join(dataDir, "elsewhere"), DATABASE_URL: url });
  expect(await half.exit()).toBe(1);
});

test("an instance of an older version is migrated first; one of a newer version is refused", async () => {
  const older = openSqlite({ folder: dataDir });
  await migrate(older, migrations.slice(0, -1), 0);
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
  const other = startService({ DATA_DIR: join(dataDir, "other"), DATABASE_URL: url });
  await login(await other.ready(), "register");
  await other.stop();
  const result = await runCommand("move", ["--to", url], { DATA_DIR: dataDir });
  expect(result).toMatchObject({
    code: 1,
    output: expect.stringMatching(/not empty: its table \w+ has rows/),
  });
});
