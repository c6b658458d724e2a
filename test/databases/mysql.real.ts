import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseDatabaseUrl, type DatabaseTarget } from "../../server/databases/database-url.ts";
import { createMySqlDriver } from "../../server/databases/sql/mysql.ts";
import { runSql, testSqlDriver } from "../../server/databases/sql/testing/driver-contract.ts";
import { createEgress } from "../../server/security/egress.ts";

const egress = createEgress({ allowPrivate: true, allow: [], deny: [] });
const url = process.env["TEST_MYSQL_URL"]!;
const name = `baton_test_${process.pid}`;
const target = (change: Partial<DatabaseTarget> = {}) =>
  ({ ...parseDatabaseUrl(url), database: name, ...change }) as DatabaseTarget;
const driver = () => createMySqlDriver({ egress }, target());
const admin = (query: string) =>
  runSql(createMySqlDriver({ egress }, target({ database: undefined })), { query });

beforeAll(() => admin(`create database ${name} character set utf8mb4`));
afterAll(() => admin(`drop database ${name}`));

describe("MySQL and MariaDB", () => {
  testSqlDriver({
    driver,
    types: { key: "bigint", exact: "decimal(10,2)", bytes: "varbinary(200)" },
    endless:
      "select count(*) as n from information_schema.columns a, information_schema.columns b, information_schema.columns c, information_schema.columns d where sleep(3600) = 1",
  });

  test("values of every type are predictable", async () => {
    await runSql(driver(), {
      query: `create table typed (small tinyint(1), big bigint unsigned, exact decimal(10,2), number double, day date,
        clock time, local datetime(3), moment timestamp(3) null, data json, bytes blob, bits bit(8), word varchar(20),
        choice enum('a','b'), made year)`,
    });
    await runSql(driver(), {
      query: `insert into typed values (1, 18446744073709551615, 10.50, 1.5, '2026-11-16', '10:00:01', '2026-11-16 10:00:00.5',
        :moment, :data, x'00ff', b'101', 'ä', 'b', 2026)`,
      parameters: { moment: "2026-11-16 08:00:00", data: { a: [1] } },
    });
    const { rows } = (await runSql(driver(), { query: "select * from typed" })) as {
      rows: Record<string, unknown>[];
    };
    expect(rows[0]).toEqual({
      small: 1,
      big: "18446744073709551615",
      exact: "10.50",
      number: 1.5,
      day: "2026-11-16",
      clock: "10:00:01",
      local: "2026-11-16T10:00:00.500",
      moment: "2026-11-16T08:00:00.000Z",
      data: { a: [1] },
      bytes: { contentType: "application/octet-stream", base64: "AP8=", bytes: 2 },
      bits: 5,
      word: "ä",
      choice: "b",
      made: 2026,
    });
  });

  test("values keep their digits, and geometries their type", async () => {
    await runSql(driver(), {
      query: `create table exact (flags bit(64), least bigint, most decimal(38,10), single float, moment timestamp(6) null,
        never date, span time, data json, place point, shape geometry, chars set('a','b'), fixed binary(3))`,
    });
    await runSql(driver(), {
      query: `insert into exact values (x'ffffffffffffffff', -9223372036854775808, '-12345678901234567890.1234567890', 3.14,
        '2026-02-01 10:00:00.123456', '2026-02-01', '-838:59:59', '{"id":12345678901234567890,"list":[1.5,9007199254740993]}',
        ST_GeomFromText('POINT(1.5 -2)', 4326), ST_GeomFromText('MULTIPOINT(1 2,3 4)'), 'a,b', x'0001')`,
    });
    const { rows } = (await runSql(driver(), { query: "select * from exact" })) as { rows: unknown[] };
    expect(rows).toEqual([
      {
        flags: "18446744073709551615",
        least: "-9223372036854775808",
        most: "-12345678901234567890.1234567890",
        single: 3.14,
        moment: "2026-02-01T10:00:00.123456Z",
        never: "2026-02-01",
        span: "-838:59:59",
        data: { id: "12345678901234567890", list: [1.5, "9007199254740993"] },
        place: { type: "Point", coordinates: [1.5, -2], srid: 4326 },
        shape: {
          type: "MultiPoint",
          coordinates: [
            [1, 2],
            [3, 4],
          ],
        },
        chars: "a,b",
        fixed: { contentType: "application/octet-stream", base64: "AAEA", bytes: 3 },
      },
    ]);
  });

  test("a generated key is returned", async () => {
    await runSql(driver(), { query: "create table keyed (id int auto_increment primary key, label text)" });
    const output = await runSql(driver(), {
      query: "insert into keyed (label) values (?), (?)",
      parameters: ["a", "b"],
    });
    expect(output).toEqual({ rows: [], rowCount: 2, insertId: 1, truncated: false });
    const limited = await runSql(driver(), { query: "select id from keyed limit ?", parameters: [1] });
    expect(limited).toMatchObject({ rows: [{ id: 1 }] });
  });

  test("a cancelled step leaves no statement on the server", async () => {
    const controller = new AbortController();
    const slow = runSql(driver(), { query: "select sleep(3600) as slow_one" }, { signal: controller.signal });
    const count = async () =>
      (
        (await admin(
          "select count(*) as n from information_schema.processlist where info like '%slow_one%' and id <> connection_id()",
        )) as { rows: { n: number }[] }
      ).rows[0]!.n;
    await expect.poll(count).toBe(1);
    controller.abort(new Error("cancelled"));
    await expect(slow).rejects.toThrow("cancelled");
    await expect.poll(count).toBe(0);
  });

  test("a refused login names neither user nor password", async () => {
    const failure = await runSql(
      createMySqlDriver({ egress }, target({ user: "nobody", password: "s3cret" })),
      {
        query: "select 1",
      },
    ).catch((error: Error) => error);
    expect(failure).toMatchObject({ code: "connection_authorization_required", permanent: true });
    expect((failure as Error).message).not.toMatch(/s3cret|nobody/);
  });

  test("a server without TLS is refused unless the URL says so", async () => {
    const failure = runSql(createMySqlDriver({ egress }, target({ tls: "verified" })), { query: "select 1" });
    await expect(failure).rejects.toMatchObject({
      code: "connection_failed",
      message: expect.stringContaining("sslmode=disable"),
    });
  });

  test("one value larger than the budget ends the connection before it is all in memory", async () => {
    const failure = runSql(
      driver(),
      { query: "select repeat('x', 15000000) as big" },
      { limits: { value_bytes: 100_000 } },
    );
    await expect(failure).rejects.toMatchObject({ code: "output_too_large" });
  });

  test("no connection is opened to an address that the guard refuses", async () => {
    const closed = createEgress({ allowPrivate: false, allow: [], deny: [] });
    const failure = runSql(createMySqlDriver({ egress: closed }, target()), { query: "select 1" });
    await expect(failure).rejects.toMatchObject({ code: "egress_denied" });
  });
});
