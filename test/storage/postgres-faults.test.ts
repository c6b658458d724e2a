import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { Db } from "../../server/storage/db.ts";
import { statementName } from "../../server/storage/postgres/dialect.ts";
import type { PostgresOptions } from "../../server/storage/postgres/open-postgres.ts";
import { asAdmin } from "../support/postgres.ts";
import { startPostgres } from "../support/postgres-server.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";
import { COPY, copy, INSERT, insert, open, openWithItems } from "./item-table.ts";

const ADD = "update counter set n = n + 1 returning n";
const count = async (db: Db) => (await db.query("select count(*) as n from item"))[0]?.["n"];

/** A database through a proxy, and a direct connection to it. */
async function openBehindProxy(
  options: Partial<PostgresOptions> = {},
): Promise<{ db: Db; direct: Db; proxy: TcpProxy }> {
  const { db: direct, url } = await openWithItems();
  const proxy = await startTcpProxy(url);
  const db = await open(proxy.url, { directUrl: url, poolSize: 3, ...options });
  onTestFinished(() => proxy.close());
  return { db, direct, proxy };
}

const TERMINATE = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;

test("connections closed by the server are reopened, and nothing is lost or applied twice", async () => {
  const { db, url } = await openWithItems();
  let written = 0;
  const write = async (n: number): Promise<void> => {
    await db.batch([insert(`i${n}`), { sql: ADD }]);
    written += 1;
  };
  const writing = Array.from({ length: 40 }, async (_, lane) => {
    for (let n = 0; n < 10; n += 1) await write(lane * 100 + n);
  });
  for (let n = 0; n < 5; n += 1) {
    await asAdmin(url, TERMINATE);
    await db.query("select count(*) from item");
  }
  await Promise.all(writing);
  expect(written).toBe(400);
  expect(await count(db)).toBe(400);
  expect(await db.query("select n from counter")).toEqual([{ n: 400 }]);
});

test("a batch whose commit reply is lost is applied once and returns its rows", async () => {
  const { db, direct, proxy } = await openBehindProxy();
  await db.batch([insert("first")]);
  const lost = proxy.dropResponsesTo(statementName("commit"));
  const writing = db.batch([{ sql: ADD }, insert("a")]);
  await lost;
  expect(await count(direct)).toBe(2);
  proxy.restore();
  proxy.disconnectAll();
  expect(await writing).toEqual([[{ n: 1 }], [{ id: "a" }]]);
  expect(await direct.query("select n from counter")).toEqual([{ n: 1 }]);
});

test("a batch cut off before its commit is applied once", async () => {
  const { db, direct, proxy } = await openBehindProxy();
  await db.batch([{ sql: ADD }]);
  const lost = proxy.dropResponsesTo(statementName(ADD));
  const writing = db.batch([{ sql: ADD }]);
  await lost;
  proxy.restore();
  proxy.disconnectAll();
  expect(await writing).toEqual([[{ n: 2 }]]);
  expect(await direct.query("select n from counter")).toEqual([{ n: 2 }]);
});

test("when a full disk hides whether a group was applied, it is refused and not applied in parts", async () => {
  const { db, direct, proxy } = await openBehindProxy();
  await db.batch([{ sql: ADD }]);
  const lost = proxy.dropResponsesTo(statementName("commit"));
  const writing = Promise.allSettled([db.batch([{ sql: ADD }]), db.batch([{ sql: ADD }])]);
  await lost;
  expect(await direct.query("select n from counter")).toEqual([{ n: 3 }]);
  // The error of a full server, raised before it checks whether the row exists.
  await direct.batch([
    {
      sql: `create function disk_full() returns trigger language plpgsql as $$ begin
        if exists (select 1 from batch_receipt where id = new.id) then raise 'full' using errcode = '53100'; end if;
        return new;
      end $$`,
    },
    {
      sql: "create trigger disk_full before insert on batch_receipt for each row execute function disk_full()",
    },
  ]);
  proxy.restore();
  proxy.disconnectAll();
  const refused = { status: "rejected", reason: { code: "storage_unavailable" } };
  expect(await writing).toMatchObject([refused, refused]);
  expect(await direct.query("select n from counter")).toEqual([{ n: 3 }]);
});

test("a repeatable batch is sent again when its reply is lost", async () => {
  const { db, direct, proxy } = await openBehindProxy();
  const set = { sql: "update counter set n = $1 returning n", params: [7] };
  await db.batch([set], { repeatable: true });
  const lost = proxy.dropResponsesTo(statementName(set.sql));
  const writing = db.batch([{ ...set, params: [8] }], { repeatable: true });
  await lost;
  expect(await direct.query("select n from counter")).toEqual([{ n: 8 }]);
  proxy.restore();
  proxy.disconnectAll();
  expect(await writing).toEqual([[{ n: 8 }]]);
});

test("copied rows are stored once when the reply is lost, and the results keep their places", async () => {
  const { db, direct, proxy } = await openBehindProxy();
  const set = (n: number) => ({ sql: "update counter set n = $1 returning n", params: [n] });
  const big = Number.MAX_SAFE_INTEGER;
  const nulAndText = 'é\0\\\t\n"';
  expect(await db.batch([set(1), copy([["a", 1]]), set(2)], { repeatable: true })).toEqual([
    [{ n: 1 }],
    [],
    [{ n: 2 }],
  ]);
  const lost = proxy.dropResponsesTo(statementName(COPY));
  const rows = [
    [nulAndText, -big],
    ["", null],
  ] as const;
  const writing = db.batch([set(3), copy(rows), set(4)], { repeatable: true });
  await lost;
  expect(await count(direct)).toBe(3);
  proxy.restore();
  proxy.disconnectAll();
  expect(await writing).toEqual([[{ n: 3 }], [], [{ n: 4 }]]);
  expect(await db.query("select id, n from item order by id")).toEqual([
    { id: "", n: null },
    { id: "a", n: 1 },
    { id: nulAndText.replace("\0", "\uFFFD"), n: -big },
  ]);
});

test("a copy after a faulty statement stores nothing and leaves the connection usable", async () => {
  const { db } = await openWithItems({ poolSize: 3 });
  const faulty = { sql: "select 1 / (n - n) from counter" };
  for (const batch of [
    [faulty, copy([["a", 1]])],
    [copy([["b", 2]]), faulty],
  ])
    await expect(db.batch(batch, { repeatable: true })).rejects.toThrow("division by zero");
  expect(await db.batch([copy([["c", 3]])], { repeatable: true })).toEqual([[]]);
  expect(await db.query("select id from item")).toEqual([{ id: "c" }]);
});

test("a copy of a row that exists is replaced by inserts", async () => {
  const { db } = await openWithItems({ poolSize: 3 });
  await db.batch([insert("a", 1)]);
  const rows = [
    ["a", 2],
    ["b", 2],
  ] as const;
  expect(await db.batch([copy(rows)], { repeatable: true })).toEqual([[]]);
  expect(await db.query("select id, n from item order by id")).toEqual([
    { id: "a", n: 1 },
    { id: "b", n: 2 },
  ]);
});

test("a connection cut silently counts as lost after the timeout", async () => {
  const { db, proxy } = await openBehindProxy({ replyTimeoutMs: 300 });
  const set = (n: number) => [{ sql: "update counter set n = $1 returning n", params: [n] }];
  await db.batch(set(1), { repeatable: true });
  const lost = proxy.dropResponsesTo(statementName(set(2)[0]!.sql));
  const writing = db.batch(set(2), { repeatable: true });
  await lost;
  // A dead connection raises no error: only the missing reply reveals it.
  proxy.restore();
  expect(await writing).toEqual([[{ n: 2 }]]);
});

test("each lane keeps at most one receipt", async () => {
  const { db } = await openWithItems({ poolSize: 3 });
  for (let n = 0; n < 20; n += 1) await db.batch([insert(`i${n}`)]);
  expect(await db.query("select count(*) as n from batch_receipt")).toEqual([{ n: 1 }]);
});

test("calls wait for a server restart, and listeners learn that they may have missed messages", async () => {
  const server = await startPostgres({ durable: true });
  onTestFinished(() => server.close());
  const db = await open(server.url);
  await db.batch([{ sql: "create table item (id text primary key, n bigint)" }, insert("before")]);
  const received: string[] = [];
  let onReceived: () => void = () => undefined;
  await db.listen("news", (payload) => {
    received.push(payload);
    onReceived();
  });
  await server.stop("immediate");
  const [write, repeat, read] = [
    db.batch([insert("during")]),
    db.batch(
      [{ sql: `${INSERT.replace(" returning id", "")} on conflict do nothing`, params: ["again", 1] }],
      {
        repeatable: true,
      },
    ),
    db.query("select id from item where id = 'before'"),
  ];
  await server.start();
  await Promise.all([write, repeat]);
  expect(await read).toEqual([{ id: "before" }]);
  expect(await count(db)).toBe(3);
  while (received.length === 0) await new Promise<void>((resolve) => (onReceived = resolve));
  expect(received[0]).toBe("");
  db.notify("news", "two");
  while (received.length < 2) await new Promise<void>((resolve) => (onReceived = resolve));
  expect(received).toEqual(["", "two"]);
});

test("an unreachable server is a retryable error", async () => {
  const server = await startPostgres();
  onTestFinished(() => server.close());
  const db = await open(server.url, { retryForMs: 300 });
  await server.stop();
  const unavailable = { code: "storage_unavailable", retryable: true };
  await expect(db.batch([insert("a")])).rejects.toMatchObject(unavailable);
  await expect(db.batch([insert("a")], { repeatable: true })).rejects.toMatchObject(unavailable);
  await expect(db.query("select 1")).rejects.toMatchObject(unavailable);
  await server.start();
  expect(await db.query("select 1 as one")).toEqual([{ one: 1 }]);
});

// A process that was suspended for long has lost its connections and used up its time limit, although the server is up.
test("a lost batch is retried at least once, however short the time limit", async () => {
  const { db, direct, proxy } = await openBehindProxy({ retryForMs: 0 });
  const lost = proxy.dropResponsesTo(statementName(ADD));
  const writing = db.batch([{ sql: ADD }]);
  await lost;
  proxy.restore();
  proxy.disconnectAll();
  expect(await writing).toEqual([[{ n: 1 }]]);
  expect(await direct.query("select n from counter")).toEqual([{ n: 1 }]);
});

test("calls queued behind an unreachable server fail together", async () => {
  const { db, proxy } = await openBehindProxy({ retryForMs: 300 });
  await proxy.close();
  let connections = 0;
  const closingServer = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(Number(new URL(proxy.url).port), "127.0.0.1");
  onTestFinished(() => void closingServer.close());
  // The two kinds of batch cannot share a transaction, so the only write connection sends them one after the other.
  const [first, second] = [db.batch([insert("a")]), db.batch([insert("b")], { repeatable: true })];
  const unavailable = { code: "storage_unavailable" };
  const settled = Promise.allSettled([first, second]);
  await expect(first).rejects.toMatchObject(unavailable);
  const connectionsOfFirst = connections;
  await expect(second).rejects.toMatchObject(unavailable);
  await settled;
  expect(connections - connectionsOfFirst).toBeLessThanOrEqual(2);
});

test("deadlocked transactions are retried", async () => {
  const { db, url } = await openWithItems();
  const other = await open(url);
  await db.batch([insert("a", 0), insert("b", 0)]);
  const add = (id: string) => ({ sql: "update item set n = n + 1 where id = $1", params: [id] });
  const batches = Array.from({ length: 10 }, () => [
    db.batch([add("a"), add("b")]),
    other.batch([add("b"), add("a")]),
  ]);
  await Promise.all(batches.flat());
  expect(await db.query("select n from item order by id")).toEqual([{ n: 20 }, { n: 20 }]);
});

test("a check invalidated by another transaction is repeated", async () => {
  const { db, url } = await openWithItems();
  const clients = [db, await open(url), await open(url), await open(url)];
  await asAdmin(url, "create unique index item_by_n on item (n)");
  const claim = (id: string) => ({
    sql: "insert into item (id, n) select $1, 1 where not exists (select 1 from item where n = 1) returning id",
    params: [id],
  });
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const results = await Promise.all(
      clients.map((client, index) => client.batch([claim(`${attempt}-${index}`)])),
    );
    expect(results.filter(([rows]) => rows?.length === 1)).toHaveLength(1);
    await db.batch([{ sql: "delete from item" }]);
  }
});

test("behind a pooler that drops prepared statements, each statement is sent in full", async () => {
  const problems: string[] = [];
  const { db } = await openWithItems({ poolSize: 3, onProblem: (message) => problems.push(message) });
  await db.batch([insert("a", 1)]);
  await db.query("deallocate all");
  await db.query("deallocate all");
  expect(await db.query("select n from item where id = $1", ["a"])).toEqual([{ n: 1 }]);
  await db.query("deallocate all");
  expect(await db.query("select n from item where id = $1", ["a"])).toEqual([{ n: 1 }]);
  expect(await db.batch([insert("b"), insert("c")])).toEqual([[{ id: "b" }], [{ id: "c" }]]);
  expect(problems).toHaveLength(1);
});

test("a prepared statement survives a change of its table", async () => {
  const problems: string[] = [];
  const { db, url } = await openWithItems({ onProblem: (message) => problems.push(message) });
  await db.batch([insert("a", 1)]);
  expect(await db.query("select * from item")).toEqual([{ id: "a", n: 1 }]);
  await asAdmin(url, "alter table item add column extra text default 'x'");
  for (let n = 0; n < 12; n += 1)
    expect(await db.query("select * from item")).toEqual([{ id: "a", n: 1, extra: "x" }]);
  expect(problems).toEqual([]);
});
