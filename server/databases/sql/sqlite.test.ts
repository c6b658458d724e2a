import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { createFairQueue } from "../../lib/fair-queue.ts";
import { createOwnerFolders } from "../../steps/owner-files.ts";
import { createFolderStores } from "../../storage/files/folder-store.ts";
import { createSqliteDrivers, type SqliteDeps } from "./sqlite.ts";
import { runSql, testSqlDriver } from "./testing/driver-contract.ts";

let folder = "";
let driverOf: ReturnType<typeof createSqliteDrivers>;
let driversOf: (change?: Partial<SqliteDeps>) => typeof driverOf;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "baton-sqlite-"));
  const incoming = join(folder, "incoming");
  mkdirSync(incoming);
  let count = 0;
  driversOf = (change) =>
    createSqliteDrivers({
      folders: createOwnerFolders(createFolderStores(folder)),
      runFiles: { newPath: async () => join(incoming, `copy-${count++}`) },
      queue: createFairQueue({ slots: 2, slotsPerKey: 2, refuse: () => new Error("full") }),
      ...change,
    });
  driverOf = driversOf();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const own = (...names: string[]) => join(folder, "files", "user_a", ...names);
const driver = () => driverOf("user_a", "data/shop.db");
const sql = (query: string, parameters: JsonValue = []) => runSql(driver(), { query, parameters });

const endless = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n";

describe("SQLite", () => {
  testSqlDriver({
    driver,
    prepare: () => sql("create table prepared (id integer)"),
    types: { key: "integer", exact: "text", bytes: "blob" },
    // A WITH alone counts as a write and runs on a copy.
    endless: `select (${endless})`,
  });

  test("values of every type are predictable", async () => {
    await sql("create table t (id integer)");
    const { rows } = (await sql(
      "select 1 as whole, 9007199254740993 as big, 1.5 as real, 9e999 as infinite, 'a' as word, x'00ff' as bytes, null as empty, ? as yes, ? as list",
      [true, [1, 2]],
    )) as { rows: unknown[] };
    expect(rows).toEqual([
      {
        whole: 1,
        big: "9007199254740993",
        real: 1.5,
        infinite: "Infinity",
        word: "a",
        bytes: { contentType: "application/octet-stream", base64: "AP8=", bytes: 2 },
        empty: null,
        yes: 1,
        list: "[1,2]",
      },
    ]);
  });

  test("a write creates the file in the owner's folder and leaves nothing beside it", async () => {
    const output = await sql("create table t (id integer primary key, label text)");
    expect(output).toMatchObject({ rows: [], rowCount: 0 });
    expect(await sql("insert into t (label) values ('a')")).toMatchObject({ rowCount: 1, insertId: 1 });
    expect(await sql("insert into t (label) values ('b') returning id, label")).toMatchObject({
      rows: [{ id: 2, label: "b" }],
    });
    expect(readdirSync(own("data"))).toEqual(["shop.db"]);
    expect(readdirSync(join(folder, "incoming"))).toEqual([]);
  });

  test("statements that reach beyond the file are refused", async () => {
    await sql("create table kept (id integer)");
    const before = readFileSync(own("data", "shop.db"));
    for (const query of [
      "attach database 'other.db' as other",
      "attach database ':memory:' as other",
      "vacuum into 'copy.db'",
      "select load_extension('evil.so')",
      "pragma journal_mode = wal",
      "pragma temp_store_directory = '/'",
      "pragma max_page_count = 1000000000",
      "create virtual table x using csvfile(filename = '/etc/passwd')",
      "create table t (a); attach database 'x' as y",
    ])
      await expect(sql(query), query).rejects.toMatchObject({ code: "query_failed" });
    expect(readFileSync(own("data", "shop.db")).equals(before)).toBe(true);
    expect(existsSync("other.db") || existsSync("copy.db")).toBe(false);
  });

  test("a write that fails or is cancelled leaves the file as it was", async () => {
    await sql("create table t (id integer primary key)");
    const before = readFileSync(own("data", "shop.db"));
    await expect(
      runSql(driver(), {
        operation: "transaction",
        statements: [{ query: "insert into t values (1)" }, { query: "insert into t values (1)" }],
      }),
    ).rejects.toMatchObject({ code: "query_failed", message: expect.stringContaining("UNIQUE") });
    const controller = new AbortController();
    const slow = runSql(driver(), { query: `insert into t ${endless}` }, { signal: controller.signal });
    controller.abort(new Error("cancelled"));
    await expect(slow).rejects.toThrow("cancelled");
    expect(readFileSync(own("data", "shop.db")).equals(before)).toBe(true);
    expect(readdirSync(join(folder, "incoming"))).toEqual([]);
  });

  test("writes at the same time take turns and none is lost", async () => {
    await sql("create table t (id integer primary key)");
    await Promise.all(Array.from({ length: 6 }, (_, i) => sql("insert into t values (?)", [i])));
    expect(await sql("select count(*) as n from t")).toMatchObject({ rows: [{ n: 6 }] });
  });

  test("a file of another kind is refused, and so is a path out of the folder", async () => {
    mkdirSync(own("data"), { recursive: true });
    writeFileSync(own("data", "shop.db"), "not a database, but long enough to look like a file".repeat(100));
    await expect(sql("select 1 as one from sqlite_schema")).rejects.toMatchObject({ code: "query_failed" });
    expect(() => driverOf("user_a", "../user_b/data.db")).toThrow(/leads out of your folder/);
    expect(() => driverOf("user_a", "/")).toThrow(/names no file/);
    await expect(runSql(driverOf("user_a", "missing.db"), { query: "select 1" })).rejects.toMatchObject({
      code: "file_not_found",
    });
  });

  test("a file that was written in WAL mode is read without a trace", async () => {
    const { DatabaseSync } = await import("@photostructure/sqlite");
    mkdirSync(own("data"), { recursive: true });
    const db = new DatabaseSync(own("data", "shop.db"));
    db.exec("pragma journal_mode = wal; create table t (id integer); insert into t values (7)");
    db.close();
    expect(await sql("select id from t")).toMatchObject({ rows: [{ id: 7 }] });
    expect(await sql("insert into t values (8)")).toMatchObject({ rowCount: 1 });
    expect(await sql("select count(*) as n from t")).toMatchObject({ rows: [{ n: 2 }] });
    expect(readdirSync(own("data"))).toEqual(["shop.db"]);
  });

  test("a file grows to the limit of a file and no further", async () => {
    await sql("create table t (content blob)");
    await expect(sql("insert into t values (zeroblob(70000000))")).rejects.toMatchObject({
      code: "query_failed",
    });
  });

  test("a row over the budget is refused before it is made into JSON", async () => {
    await sql("create table t (id integer)");
    const columns = Array.from({ length: 6 }, (_, i) => `hex(zeroblob(10000000)) as c${i}`);
    const limits = {
      maxRows: 10,
      maxReceivedBytes: 30_000_000,
      maxHeldBytes: 64_000_000,
      maxCellSize: 1e6,
      timeoutMs: 60_000,
    };
    const job = (query: string, change: Partial<typeof limits> = {}) => ({
      statements: [{ query, parameters: [] }],
      transaction: false,
      ...limits,
      ...change,
    });
    const run = (given: ReturnType<typeof job>) =>
      driver()(given, async () => true, new AbortController().signal);
    await expect(run(job(`select ${columns.join(", ")}`))).rejects.toMatchObject({
      code: "output_too_large",
    });
    await expect(run(job("select hex(zeroblob(600)) as a", { maxHeldBytes: 1000 }))).rejects.toMatchObject({
      code: "output_too_large",
    });
    // A text that doubles in JSON is counted as it arrives.
    const quotes = "select replace(hex(zeroblob(400)), '0', '\"') as a";
    await expect(run(job(quotes, { maxReceivedBytes: 1000 }))).rejects.toMatchObject({
      code: "output_too_large",
    });
    // No value may be larger than what the step may receive.
    await expect(run(job("select length(zeroblob(40000000)) as n"))).rejects.toMatchObject({
      code: "query_failed",
      message: expect.stringContaining("too big"),
    });
  });

  test("a query ends at the limit for files, whatever the time limit of its step is", async () => {
    await sql("create table t (id integer)");
    const limited = driversOf({ maxRunMs: 50 })("user_a", "data/shop.db");
    await expect(runSql(limited, { query: `select (${endless})` })).rejects.toMatchObject({
      code: "query_failed",
      message: expect.stringContaining("50 ms"),
    });
  });

  test("the process of a query has a low priority and little memory", async () => {
    await sql("create table t (id integer)");
    const controller = new AbortController();
    const slow = runSql(driver(), { query: `select (${endless})` }, { signal: controller.signal });
    const processes = () =>
      execFileSync("ps", ["-A", "-o", "ppid=,ni=,args="], { encoding: "utf8" })
        .split("\n")
        .filter((line) => line.trim().startsWith(`${process.pid} `) && line.includes("sqlite.worker"))
        .join("\n");
    await expect.poll(processes).toMatch(/^\s*\d+\s+10\s.*--max-old-space-size=256/);
    controller.abort(new Error("cancelled"));
    await expect(slow).rejects.toThrow("cancelled");
  });

  test("queries of one owner wait for a slot of their own queue", async () => {
    await sql("create table t (id integer)");
    const keys: string[] = [];
    const queue: SqliteDeps["queue"] = {
      run: async (key, work) => {
        keys.push(key);
        return work();
      },
    };
    const queued = driversOf({ queue })("user_a", "data/shop.db");
    await runSql(queued, { query: "select 1" });
    await runSql(queued, { query: "insert into t values (1)" });
    expect(keys).toEqual(["user_a", "user_a"]);
  });

  test("one owner never has all slots: the third query waits, and another owner's runs", async () => {
    const queue = createFairQueue({ slots: 3, slotsPerKey: 2, refuse: () => new Error("full") });
    const drivers = driversOf({ queue });
    for (const owner of ["user_a", "user_b"])
      await runSql(drivers(owner, "data/shop.db"), { query: "create table t (id integer)" });
    const cancel = new AbortController();
    const query = `select (${endless})`;
    const slow = Array.from({ length: 3 }, () =>
      runSql(drivers("user_a", "data/shop.db"), { query }, { signal: cancel.signal }),
    );
    const ended = Promise.allSettled(slow);
    await expect.poll(() => [queue.running("user_a"), queue.waiting()]).toEqual([2, 1]);
    expect(await runSql(drivers("user_b", "data/shop.db"), { query: "select 1 as one" })).toMatchObject({
      rows: [{ one: 1 }],
    });
    expect([queue.running("user_a"), queue.waiting()]).toEqual([2, 1]);
    cancel.abort(new Error("cancelled"));
    // The one that waited as well: it never starts.
    expect((await ended).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    await expect.poll(() => [queue.running(), queue.waiting()]).toEqual([0, 0]);
  });
});
