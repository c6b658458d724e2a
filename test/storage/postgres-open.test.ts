import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { migrate } from "../../server/storage/migrate.ts";
import { migrations } from "../../server/storage/migrations/all.ts";
import { openPostgres } from "../../server/storage/postgres/open-postgres.ts";
import { asAdmin, useDatabase } from "../support/postgres.ts";
import { type PoolerOptions, startStubPooler } from "../support/stub-pooler.ts";

async function openAndMigrate(url: string): Promise<void> {
  const db = await openPostgres({ url });
  try {
    await migrate(db, migrations, 1);
  } finally {
    await db.close();
  }
}

/** The URL of the database for a new role, which is dropped when the test ends. */
async function asRole(url: string, name: string, password = "secret"): Promise<string> {
  const role = `${name}_${Math.random().toString(36).slice(2, 8)}`;
  await asAdmin(url, `create role ${role} login password 'secret'`);
  onTestFinished(() => asAdmin(url, `drop owned by ${role} cascade`, `drop role ${role}`));
  return Object.assign(new URL(url), { username: role, password }).href;
}

test("an unreachable server is reported with its address", async () => {
  await expect(openPostgres({ url: "postgres://user@127.0.0.1:1/baton" })).rejects.toMatchObject({
    code: "database_unreachable",
    message: expect.stringMatching(/127\.0\.0\.1:1.*ECONNREFUSED/),
  });
});

test("a wrong password and a missing database are distinct errors that never contain the password", async () => {
  const url = await useDatabase();
  const refused = openPostgres({ url: await asRole(url, "stranger", "wrong-password") });
  await expect(refused).rejects.toMatchObject({ code: "database_login_refused" });
  await expect(refused).rejects.not.toThrow("wrong-password");
  await expect(
    openPostgres({ url: Object.assign(new URL(url), { pathname: "/nowhere" }).href }),
  ).rejects.toMatchObject({ code: "database_missing", message: expect.stringContaining("nowhere") });
});

test("a role without the connect privilege gets an error that says so", async () => {
  const url = await useDatabase();
  const role = await asRole(url, "outsider");
  await asAdmin(url, `revoke connect on database ${new URL(url).pathname.slice(1)} from public`);
  await expect(openPostgres({ url: role })).rejects.toMatchObject({
    code: "database_no_rights",
    message: expect.stringContaining("permission denied for database"),
  });
});

test("the notification address is checked too, and named when it is unreachable", async () => {
  const url = await useDatabase();
  await expect(openPostgres({ url, directUrl: "postgres://user@127.0.0.1:1/baton" })).rejects.toMatchObject({
    code: "database_unreachable",
    message: expect.stringMatching(/127\.0\.0\.1:1 \(DATABASE_DIRECT_URL\)/),
  });
});

test.each([
  ["sslmod=require&password=secret-word", "parameter sslmod"],
  ["sslmode=on", "sslmode=on"],
  ["ssl=false", "ssl=false"],
])("a parameter that pg would ignore is refused: %s", async (query, named) => {
  const refused = openPostgres({ url: `${await useDatabase()}?${query}` });
  await expect(refused).rejects.toMatchObject({
    code: "database_address",
    message: expect.stringContaining(named),
  });
  await expect(refused).rejects.not.toThrow("secret-word");
});

test("a role without schema usage or write privileges gets an error that names them", async () => {
  const url = await useDatabase();
  await openAndMigrate(url);
  const role = await asRole(url, "reader");
  const name = new URL(role).username;
  await asAdmin(url, "revoke all on schema public from public");
  await expect(openAndMigrate(role)).rejects.toMatchObject({ code: "database_no_schema" });
  await asAdmin(url, `grant usage on schema public to ${name}`);
  const refused = {
    code: "database_no_rights",
    message: expect.stringMatching(/permission denied.*Grant it/),
  };
  await expect(openAndMigrate(role)).rejects.toMatchObject(refused);
  await asAdmin(url, `grant select on all tables in schema public to ${name}`);
  await expect(openAndMigrate(role)).rejects.toMatchObject(refused);
});

test("a role that cannot create tables gets an error, and can use existing ones", async () => {
  const url = await useDatabase();
  const role = await asRole(url, "guest");
  await asAdmin(url, "revoke create on schema public from public");
  const refused = { code: "database_no_rights", message: expect.stringContaining("create") };
  await expect(openAndMigrate(role)).rejects.toMatchObject(refused);
  await openAndMigrate(url);
  const name = new URL(role).username;
  await asAdmin(url, `grant select, insert, update, delete on all tables in schema public to ${name}`);
  await openAndMigrate(role);
});

test("a read-only database is refused and left unchanged", async () => {
  const url = await useDatabase();
  await asAdmin(
    url,
    `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`,
  );
  await expect(openPostgres({ url })).rejects.toMatchObject({ code: "database_read_only" });
});

test("a schema of a newer version is refused and left unchanged", async () => {
  const url = await useDatabase();
  await openAndMigrate(url);
  await asAdmin(
    url,
    "insert into schema_migration (version, name, applied_at) values (9999, 'from the future', 0)",
  );
  await expect(openAndMigrate(url)).rejects.toMatchObject({
    code: "schema_too_new",
    message: expect.stringContaining("9999"),
  });
});

/** A pooler that accepts logins and sends this reply, or none, to the first transaction. */
async function usePooler(reply?: Buffer): Promise<string> {
  const url = new URL(await useDatabase());
  const server = { port: Number(url.port), host: url.hostname };
  const pooler = createServer((client) => {
    const upstream = connect(server);
    upstream.pipe(client);
    client.on("data", (chunk) => {
      if (!chunk.includes("begin")) upstream.write(chunk);
      else if (reply !== undefined) client.write(reply);
    });
    client.on("close", () => upstream.destroy());
    for (const socket of [client, upstream]) socket.on("error", () => undefined);
  });
  await once(pooler.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void pooler.close());
  url.port = String((pooler.address() as AddressInfo).port);
  return url.href;
}

test("a pooler in statement mode is refused with the mode it needs", async () => {
  // The error of PgBouncer with pool_mode = statement.
  const message = "transaction blocks not allowed in statement pooling mode";
  const fields = `SERROR\0C08P01\0M${message}\0\0`;
  const length = Buffer.alloc(4);
  length.writeInt32BE(length.length + fields.length);
  const reply = Buffer.concat([Buffer.from("E"), length, Buffer.from(`${fields}Z\0\0\0\x05I`)]);
  await expect(openPostgres({ url: await usePooler(reply) })).rejects.toMatchObject({
    code: "database_no_transactions",
    message: expect.stringMatching(`${message}.*pool_mode = transaction`),
  });
});

test("a pooler without free connections is reported after a timeout", async () => {
  await expect(openPostgres({ url: await usePooler(), replyTimeoutMs: 300 })).rejects.toMatchObject({
    code: "database_silent",
    message: expect.stringContaining("pooler"),
  });
});

async function useStubPooler(options: PoolerOptions): Promise<string> {
  const { url, close } = await startStubPooler(await useDatabase(), options);
  onTestFinished(close);
  return url;
}

test("a pooler in session mode with too few connections is refused with the number needed", async () => {
  const url = await useStubPooler({ mode: "session", size: 4 });
  await expect(openPostgres({ url, poolSize: 6, replyTimeoutMs: 1000 })).rejects.toMatchObject({
    code: "database_pool_too_small",
    message: expect.stringMatching(/provides 4 of the 7 .*DATABASE_POOL_SIZE \+ 1/),
  });
});

// A migration holds its lock in a transaction: its statements on another connection would wait for the only pooled one.
test("one pooled connection is enough for two processes that start at once, and for reads and writes", async () => {
  const url = await useStubPooler({ mode: "transaction", size: 1 });
  await Promise.all([openAndMigrate(url), openAndMigrate(url)]);
  const db = await openPostgres({ url });
  onTestFinished(() => db.close());
  await db.batch([{ sql: "insert into key_check (id, sealed) values (1, 'a')" }]);
  expect(await db.query("select sealed from key_check")).toEqual([{ sealed: "a" }]);
});

// PgBouncer 1.21 and 1.24.1 lose count of the replies when a copy is refused.
test("rows are copied on a direct connection, and not behind a pooler", async () => {
  const [direct, pooled] = await Promise.all([
    openPostgres({ url: await useDatabase() }),
    openPostgres({ url: await useStubPooler({ mode: "transaction", size: 1 }) }),
  ]);
  onTestFinished(async () => void (await Promise.all([direct.close(), pooled.close()])));
  expect([direct.copiesRows, pooled.copiesRows]).toEqual([true, false]);
});

test("a pooler that drops LISTEN is detected, even if it delivers messages during queries", async () => {
  const problems: string[] = [];
  const db = await openPostgres({
    url: await useStubPooler({ mode: "transaction", size: 4 }),
    echoTimeoutMs: 1500,
    onProblem: (message) => problems.push(message),
  });
  onTestFinished(() => db.close());
  for (let n = 0; problems.length === 0; n += 1)
    await db.listen(`channel_${n}`, () => undefined).then((stop) => stop());
  expect(problems[0]).toContain("notifications from other processes");
});

test("many processes that start on an empty database create each table once", async () => {
  const url = await useDatabase();
  await Promise.all(Array.from({ length: 6 }, () => openAndMigrate(url)));
  const db = await openPostgres({ url });
  onTestFinished(() => db.close());
  const rows = await db.query("select version from schema_migration order by version");
  expect(rows.map((row) => row["version"])).toEqual(migrations.map(({ version }) => version));
});

// A pooler has few connections: waiting processes must not occupy those that the migrating one needs.
test("a process that waits for a migration holds no transaction", async () => {
  const url = await useDatabase();
  const [first, second] = [await openPostgres({ url }), await openPostgres({ url })];
  onTestFinished(async () => void (await Promise.all([first.close(), second.close()])));
  const waiting =
    "select 1 as it from pg_stat_activity where datname = current_database() and state = 'idle' and query = 'rollback'";
  const order: string[] = [];
  let after: Promise<unknown> | undefined;
  await first.exclusively(async () => {
    after = second.exclusively(async () => void order.push("second"));
    while ((await first.query(waiting)).length === 0);
    order.push("first");
  });
  await after;
  expect(order).toEqual(["first", "second"]);
});

test("a failed migration leaves nothing behind", async () => {
  const url = await useDatabase();
  const db = await openPostgres({ url });
  onTestFinished(() => db.close());
  const broken = {
    version: 1,
    name: "broken",
    statements: ["create table half (id text)", "create nonsense"],
  };
  await expect(migrate(db, [broken], 1)).rejects.toThrow("nonsense");
  expect(await db.query("select to_regclass('half') as half")).toEqual([{ half: null }]);
  expect(await migrate(db, migrations, 1)).toBe(migrations.at(-1)!.version);
});
