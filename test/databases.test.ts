import { expect, onTestFinished, test } from "vitest";
import { startFakeRedis } from "./support/fake-redis.ts";
import { useDatabase } from "./support/postgres.ts";
import { shareApp } from "./support/shared-app.ts";
import { startStubBucket } from "./support/stub-bucket.ts";

const { ada, bob } = await shareApp(["ada", "bob"]);

async function connect(given: object, user = ada): Promise<string> {
  const { status, body } = await user.post("/api/connections", { name: "Data", settings: {}, ...given });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.connection.id;
}

const database = (url: string, user = ada) => connect({ kind: "database", secrets: { url } }, user);

async function run(steps: object[], edges: object[] = [], user = ada) {
  const created = await user.post("/api/workflows", { name: "Data", metadata: { steps, edges } });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const { body } = await user.post(`/api/workflows/${created.body.workflow.id}/run?wait=true`, {
    input: { name: "'); drop table person; --" },
  });
  return (await user.get(`/api/tasks/${body.taskId}`)).body.task;
}

test("rows of a query are streamed into a file that a loop takes, batch by batch", async () => {
  const connection = await database("sqlite:data/people.db");
  const statements = [
    { query: "create table person (id integer primary key, name text)" },
    ...Array.from({ length: 25 }, () => ({
      query: "insert into person (name) values (:name)",
      parameters: { name: "{{input.name}}" },
    })),
  ];
  const task = await run(
    [
      { stepId: "fill", type: "sql", connection, operation: "transaction", statements },
      { stepId: "rows", type: "sql", connection, query: "select id, name from person", as: "file" },
      {
        stepId: "each",
        type: "foreach",
        items: "{{steps.rows.output.file}}",
        batchSize: 10,
        steps: [{ stepId: "one", type: "transform", template: "{{item.0.name}}" }],
        edges: [],
      },
    ],
    [
      { source: "fill", target: "rows" },
      { source: "rows", target: "each" },
    ],
  );
  expect(task.error).toBeNull();
  expect(task.result.output).toEqual(Array(3).fill("'); drop table person; --"));
});

test("a PostgreSQL connection keeps its password out of results, and a refused login marks it", async () => {
  const url = new URL(await useDatabase());
  url.password ||= "pass-word-one";
  const connection = await database(url.href);
  const query = `select '${url.password}' as leaked, 1 as one`;
  const task = await run([{ stepId: "find", type: "sql", connection, query }]);
  expect(task.error).toBeNull();
  expect(task.result.output.rows[0].one).toBe(1);
  expect(JSON.stringify(task.result)).not.toContain(url.password);
  expect((await ada.get(`/api/connections/${connection}`)).body.connection.status).toBe("connected");

  url.username = "nobody_here";
  const wrong = await database(url.href);
  const failed = await run([{ stepId: "find", type: "sql", connection: wrong, query: "select 1" }]);
  expect(failed.error).toMatchObject({ code: "connection_authorization_required" });
  expect((await ada.get(`/api/connections/${wrong}`)).body.connection.status).toBe("failing");
});

test("redis and s3 steps use their connections", async () => {
  const redis = await startFakeRedis({ password: "redis-secret" });
  onTestFinished(redis.close);
  const cache = await database(`redis://:redis-secret@127.0.0.1:${redis.port}/2`);
  const counted = await run([
    { stepId: "count", type: "redis", connection: cache, command: "increment", key: "runs", amount: 4 },
  ]);
  expect([counted.error, counted.result.output]).toEqual([null, { value: 4 }]);
  expect(redis.selected()).toBe("2");

  const bucket = await startStubBucket();
  onTestFinished(bucket.close);
  const { S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = bucket.settings;
  const storage = await connect({
    kind: "s3",
    settings: { endpoint: S3_ENDPOINT, region: S3_REGION, bucket: S3_BUCKET, accessKeyId: S3_ACCESS_KEY_ID },
    secrets: { secretAccessKey: S3_SECRET_ACCESS_KEY },
  });
  const stored = await run([
    { stepId: "save", type: "s3", connection: storage, action: "put", key: "a.txt", content: "hello" },
  ]);
  expect([stored.error, stored.result.output.bytes]).toEqual([null, 5]);
  const mixed = await run([{ stepId: "find", type: "sql", connection: storage, query: "select 1" }]);
  expect(mixed.error.message).toMatch(/kind database, not s3/);
});

test("another user's connection is not found", async () => {
  const connection = await database("sqlite:a.db", bob);
  const task = await run([{ stepId: "find", type: "sql", connection, query: "select 1" }]);
  expect(task.error.code).toMatch(/connection_not_found|forbidden/);
});

test("SQL text with a placeholder is refused when the workflow is saved", async () => {
  const save = async (step: object) =>
    (
      await ada.post("/api/workflows", {
        name: "x",
        metadata: { steps: [{ stepId: "q", type: "sql", connection: "conn_1", ...step }], edges: [] },
      })
    ).body;
  const inQuery = await save({ query: "select * from t where name = '{{input.name}}'" });
  expect(inQuery).toMatchObject({ ok: false, error: "invalid_workflow" });
  expect(JSON.stringify(inQuery)).toContain("write :name in the query and the value in parameters");
  for (const statements of [
    [{ query: "delete from {{input.table}}" }],
    ["{{input.statement}}"],
    "{{input.all}}",
  ])
    expect((await save({ operation: "transaction", statements })).error).toBe("invalid_workflow");
  expect((await save({ query: "select :a", parameters: { a: "{{input.name}}" } })).ok).toBe(true);
});

test("connections of databases and storage are tested by reading one value", async () => {
  const check = async (given: object) =>
    (await ada.post("/api/connections/test", { name: "Data", settings: {}, ...given })).body;
  const onDatabase = (url: string) => check({ kind: "database", secrets: { url } });
  const postgres = new URL(await useDatabase());
  const connected = { status: "connected", message: "" };
  expect(await onDatabase(postgres.href)).toMatchObject(connected);
  const id = await database(postgres.href);
  expect((await ada.post(`/api/connections/${id}/test`, {})).body).toMatchObject(connected);
  expect((await ada.get(`/api/connections/${id}`)).body.connection.status).toBe("connected");
  const unknown = new URL(postgres);
  unknown.pathname = "/no_such_database";
  expect(await onDatabase(unknown.href)).toMatchObject({
    status: "failing",
    message: expect.stringContaining("refused"),
  });
  expect(await onDatabase("postgres://ada:hush-hush@127.0.0.1:1/x")).toMatchObject({
    status: "failing",
    message: expect.stringContaining("127.0.0.1:1 failed"),
  });
  expect((await onDatabase("sqlite:data/tested.db")).message).toContain("There is no file");
  const file = await database("sqlite:data/tested.db");
  await run([{ stepId: "fill", type: "sql", connection: file, query: "create table person (id integer)" }]);
  expect(await onDatabase("sqlite:data/tested.db")).toMatchObject(connected);
  expect((await onDatabase("sqlite:../../etc/passwd")).status).toBe("failing");

  const redis = await startFakeRedis({ password: "hush-redis" });
  onTestFinished(redis.close);
  const onRedis = (password: string) => onDatabase(`redis://:${password}@127.0.0.1:${redis.port}/2`);
  expect(await onRedis("hush-redis")).toMatchObject(connected);
  const wrong = await onRedis("hush-wrong");
  expect(wrong.status).toBe("failing");
  expect(JSON.stringify(wrong)).not.toMatch(/hush/);

  const bucket = await startStubBucket();
  onTestFinished(bucket.close);
  const { S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = bucket.settings;
  const given = { endpoint: S3_ENDPOINT, region: S3_REGION, accessKeyId: S3_ACCESS_KEY_ID };
  const onBucket = (settings: object, secret = S3_SECRET_ACCESS_KEY) =>
    check({
      kind: "s3",
      settings: { ...given, bucket: S3_BUCKET, ...settings },
      secrets: { secretAccessKey: secret },
    });
  expect(await onBucket({})).toMatchObject(connected);
  expect((await onBucket({}, "hush-wrong")).status).toBe("failing");
  expect((await onBucket({ bucket: "no-such-bucket" })).status).toBe("failing");
  expect(await onBucket({ bucket: undefined })).toMatchObject({
    status: "untested",
    message: expect.stringContaining("bucket"),
  });
});
