import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "../../../test/support/postgres.ts";
import { createEgress } from "../../security/egress.ts";
import { parseDatabaseUrl, type DatabaseTarget } from "../database-url.ts";
import { createPostgresDriver } from "./postgres.ts";
import { runSql, testSqlDriver } from "./testing/driver-contract.ts";

const egress = createEgress({ allowPrivate: true, allow: [], deny: [] });
let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const target = (change: Partial<DatabaseTarget> = {}) =>
  ({ ...parseDatabaseUrl(database.url), ...change }) as DatabaseTarget;
const driver = () => createPostgresDriver({ egress }, target());
const sql = (query: string, parameters: never[] = []) => runSql(driver(), { query, parameters });

describe("PostgreSQL", () => {
  testSqlDriver({
    driver,
    types: { key: "bigint", exact: "numeric(10,2)", bytes: "bytea" },
    endless: "select pg_sleep(3600)",
  });

  test("values of every type are predictable", async () => {
    const { rows } = (await sql(`select
      12::smallint as small, 9007199254740993::bigint as big, 10.50::numeric as exact, 1.5::real as real,
      'NaN'::float8 as nan, true as yes, date '2026-11-16' as day, time '10:00:01' as clock,
      timestamp '2026-11-16 10:00:00.5' as local, timestamptz '2026-11-16 10:00:00+02' as moment,
      timestamptz 'infinity' as never, interval '90 minutes' as span, '{"a":[1]}'::jsonb as data, '[1]'::json as list,
      '\\x00ff'::bytea as bytes, array[1,null,3] as numbers, array['a,b','c"d'] as texts, array[array[1],array[2]] as nested,
      'f47ac10b-58cc-4372-a567-0e02b2c3d479'::uuid as id, null::text as nothing`)) as { rows: unknown[] };
    expect(rows).toEqual([
      {
        small: 12,
        big: "9007199254740993",
        exact: "10.50",
        real: 1.5,
        nan: "NaN",
        yes: true,
        day: "2026-11-16",
        clock: "10:00:01",
        local: "2026-11-16T10:00:00.5",
        moment: "2026-11-16T08:00:00.000Z",
        never: "infinity",
        span: "01:30:00",
        data: { a: [1] },
        list: [1],
        bytes: { contentType: "application/octet-stream", base64: "AP8=", bytes: 2 },
        numbers: [1, null, 3],
        texts: ["a,b", 'c"d'],
        nested: [[1], [2]],
        id: "f47ac10b-58cc-4372-a567-0e02b2c3d479",
        nothing: null,
      },
    ]);
  });

  test("arrays of every type are lists, also of types of the database itself", async () => {
    await sql("create type mood as enum ('glad', 'sad, very')");
    await sql("create domain amount as bigint");
    const { rows } = (await sql(`select
      array['1 day'::interval] as spans, array['[1,3)'::int4range, 'empty'] as ranges, array['10.0.0.1'::inet] as hosts,
      array['glad', null, 'sad, very']::mood[] as moods, array[9007199254740993, 1]::amount[] as amounts,
      array['NaN'::numeric, 1.50] as exact, array['(1,2)'::point] as points, array['\\x00ff'::bytea] as files,
      array[b'101'] as bits, '[0:1]={7,8}'::int[] as bounds, array[]::int[] as none`)) as { rows: unknown[] };
    expect(rows).toEqual([
      {
        spans: ["1 day"],
        ranges: ["[1,3)", "empty"],
        hosts: ["10.0.0.1"],
        moods: ["glad", null, "sad, very"],
        amounts: ["9007199254740993", 1],
        exact: ["NaN", "1.50"],
        points: ["(1,2)"],
        files: [{ contentType: "application/octet-stream", base64: "AP8=", bytes: 2 }],
        bits: ["101"],
        bounds: [7, 8],
        none: [],
      },
    ]);
  });

  test("numbers and moments keep all of their digits", async () => {
    const { rows } = (await sql(`select
      '{"id": 12345678901234567890, "12345678901234567890": [1e400, "9007199254740993", 9007199254740992, 1.5]}'::jsonb as data,
      array['[-9007199254740993]'::json] as list, int4range(1, 5) as range, 'Infinity'::numeric as endless,
      timestamptz '2026-11-16 10:00:00.123456+05:30' as moment, '1 year 2 mons -3 days 04:05:06.7'::interval as span`)) as {
      rows: unknown[];
    };
    expect(rows).toEqual([
      {
        data: {
          id: "12345678901234567890",
          "12345678901234567890": [`1${"0".repeat(400)}`, "9007199254740993", "9007199254740992", 1.5],
        },
        list: [["-9007199254740993"]],
        range: "[1,5)",
        endless: "Infinity",
        moment: "2026-11-16T04:30:00.123456Z",
        span: "1 year 2 mons -3 days +04:05:06.7",
      },
    ]);
  });

  test("settings of a role do not change values", async () => {
    const { user } = target();
    const role = `"${user}" in database "${target().database}"`;
    for (const setting of [
      "bytea_output = 'escape'",
      "intervalstyle = 'sql_standard'",
      "timezone = 'Europe/Amsterdam'",
    ])
      await sql(`alter role ${role} set ${setting}`);
    const { rows } = (await sql(`select '\\x00ff'::bytea as bytes, '1 day 2 hours'::interval as span,
      timestamptz '1900-01-01 00:00:00Z' as early`)) as { rows: unknown[] };
    await sql(`alter role ${role} reset all`);
    expect(rows).toEqual([
      {
        bytes: { contentType: "application/octet-stream", base64: "AP8=", bytes: 2 },
        span: "1 day 02:00:00",
        early: "1900-01-01T00:00:00.000Z",
      },
    ]);
  });

  test("a list is an array, an object is JSON", async () => {
    const output = await runSql(driver(), {
      query: "select $1::int[] as ids, $2::jsonb as data, 2 = any($1) as found",
      parameters: [[1, 2], { a: 1 }],
    });
    expect(output).toMatchObject({ rows: [{ ids: [1, 2], data: { a: 1 }, found: true }] });
  });

  test("a cancelled step leaves no statement on the server", async () => {
    const controller = new AbortController();
    const slow = runSql(
      driver(),
      { query: "select pg_sleep(3600) as slow_one" },
      { signal: controller.signal },
    );
    const count = async () =>
      (
        (await sql(
          "select count(*) as n from pg_stat_activity where query like '%slow_one%' and state = 'active' and pid <> pg_backend_pid()",
        )) as {
          rows: { n: number }[];
        }
      ).rows[0]!.n;
    await expect.poll(count).toBe(1);
    controller.abort(new Error("cancelled"));
    await expect(slow).rejects.toThrow("cancelled");
    await expect.poll(count).toBe(0);
  });

  test("a statement over its time limit is cancelled", async () => {
    const job = { statements: [{ query: "select pg_sleep(3600)", parameters: [] }], transaction: false };
    const limits = { maxRows: 1, maxReceivedBytes: 1e6, maxHeldBytes: 1e6, maxCellSize: 1e6, timeoutMs: 200 };
    const failure = driver()({ ...job, ...limits }, async () => true, new AbortController().signal);
    await expect(failure).rejects.toMatchObject({
      code: "query_failed",
      message: expect.stringContaining("timeout"),
    });
  });

  test("one value larger than the budget ends the connection before it is all in memory", async () => {
    const failure = runSql(
      driver(),
      { query: "select repeat('x', 30000000) as big" },
      { limits: { value_bytes: 100_000 } },
    );
    await expect(failure).rejects.toMatchObject({ code: "output_too_large" });
  });

  test("a refused login names the connection and neither user nor password", async () => {
    const failure = await runSql(
      createPostgresDriver({ egress }, target({ user: "nobody_here", password: "s3cret" })),
      {
        query: "select 1",
      },
    ).catch((error: Error) => error);
    expect(failure).toMatchObject({ code: "connection_authorization_required", permanent: true });
    expect((failure as Error).message).not.toMatch(/s3cret|nobody_here/);
  });

  test("a server without TLS is refused unless the URL says so", async () => {
    const failure = runSql(createPostgresDriver({ egress }, target({ tls: "verified" })), {
      query: "select 1",
    });
    await expect(failure).rejects.toMatchObject({
      code: "connection_failed",
      message: expect.stringContaining("sslmode=disable"),
    });
  });

  test("no connection is opened to an address that the guard refuses", async () => {
    const closed = createEgress({ allowPrivate: false, allow: [], deny: [] });
    const failure = runSql(createPostgresDriver({ egress: closed }, target()), { query: "select 1" });
    await expect(failure).rejects.toMatchObject({ code: "egress_denied" });
  });

  test("the address of a name is looked up once, by the guard", async () => {
    const { port } = target();
    const lookups: string[] = [];
    const rebinding = createEgress({
      allowPrivate: false,
      allow: [`db.example.test:${port}`],
      deny: [],
      lookup: async (hostname) => {
        lookups.push(hostname);
        return [{ address: "127.0.0.1", family: 4 }];
      },
    });
    const named = createPostgresDriver(
      { egress: rebinding },
      target({ host: "db.example.test", tls: "off" }),
    );
    expect(await runSql(named, { query: "select 1 as one" })).toMatchObject({ rows: [{ one: 1 }] });
    expect(lookups).toEqual(["db.example.test"]);
  });
});
