import { expect, test } from "vitest";
import type { JsonValue } from "../../../../contract/placeholders/json-value.ts";
import { limitsOf } from "../../../limits/testing/limits-of.ts";
import type { RunFiles } from "../../../run-files/run-files.ts";
import { sampleCall } from "../../../steps/testing/sample-call.ts";
import { createFairQueue } from "../../../lib/fair-queue.ts";
import type { LimitValues } from "../../../limits/limits.ts";
import type { SqlDriver } from "../sql-driver.ts";
import { createSqlRunner } from "../sql-step.ts";

export interface DriverContract {
  driver(): SqlDriver | Promise<SqlDriver>;
  /** Before a test that only reads. */
  prepare?(): Promise<unknown>;
  /** A column type for each kind of value. */
  types: { key: string; exact: string; bytes: string };
  /** A query that runs for hours. */
  endless: string;
}

type Fields = Record<string, JsonValue>;

/** A `sql` step with one driver behind every connection. */
export function runSql(
  driver: SqlDriver,
  fields: Fields,
  {
    limits = {},
    runFiles = {},
    signal,
  }: { limits?: Partial<LimitValues>; runFiles?: object; signal?: AbortSignal } = {},
): Promise<JsonValue> {
  const runner = createSqlRunner({
    withDriver: (_call, work) => work(driver),
    runFiles: runFiles as RunFiles,
    limits: limitsOf(limits),
    queue: createFairQueue({ slots: 4, slotsPerKey: 4, refuse: () => new Error("The queue is full.") }),
  });
  const call = sampleCall(
    { connection: "conn_1", ...fields },
    { path: "each[2]/find", ...(signal && { signal }) },
  );
  return runner.run(call).then(({ output }) => output);
}

/** Keeps the content of files as text. */
export function fakeRunFiles() {
  const stored: string[] = [];
  return {
    stored,
    async create(
      _target: unknown,
      { name, contentType }: { name: string; contentType: string },
      source: AsyncIterable<Buffer>,
    ) {
      const chunks: Buffer[] = [];
      for await (const chunk of source) chunks.push(chunk);
      const content = Buffer.concat(chunks);
      stored.push(content.toString());
      return { file: `file_${"0".repeat(29)}`, name, contentType, size: content.length };
    },
  };
}

/** What every driver does, whatever the database. */
export function testSqlDriver({ driver, prepare, types, endless }: DriverContract): void {
  const sql = async (fields: Fields, options?: Parameters<typeof runSql>[2]) =>
    runSql(await driver(), fields, options);
  const create = (name: string) =>
    sql({ query: `create table ${name} (id ${types.key}, label varchar(200), amount ${types.exact})` });
  const fill = async (name: string, count: number) => {
    await create(name);
    const rows = Array.from({ length: count }, (_, i) => `(${i + 1}, 'row ${i + 1}', 1.50)`);
    for (let at = 0; at < rows.length; at += 500)
      await sql({ query: `insert into ${name} values ${rows.slice(at, at + 500).join(", ")}` });
  };

  test("values reach the database only as parameters, by name and in order", async () => {
    await create("people");
    const hostile = "'); drop table people; --";
    const inserted = await sql({
      query: "insert into people (id, label, amount) values (:id, :label, :amount)",
      parameters: { id: 1, label: hostile, amount: 10.5 },
    });
    expect(inserted).toMatchObject({ rows: [], rowCount: 1, truncated: false });
    const found = await sql({
      query: "select label from people where label = :label and ':id' <> label -- :comment",
      parameters: { label: hostile },
    });
    expect(found).toEqual({ rows: [{ label: hostile }], rowCount: 1, truncated: false });
  });

  test("a name without a value fails before the query is sent", async () => {
    await expect(sql({ query: "select :missing", parameters: { other: 1 } })).rejects.toMatchObject({
      code: "invalid_field",
      message: expect.stringContaining(":missing"),
    });
  });

  test("whole numbers are exact, also beyond those of JavaScript", async () => {
    await create("numbers");
    const insert = "insert into numbers (id, label) values (:id, null)";
    await sql({ query: insert, parameters: { id: 42 } });
    await sql({ query: insert, parameters: { id: "9007199254740993" } });
    const { rows } = (await sql({ query: "select id, label from numbers order by id" })) as {
      rows: JsonValue;
    };
    expect(rows).toEqual([
      { id: 42, label: null },
      { id: "9007199254740993", label: null },
    ]);
  });

  test("bytes come out as a binary value and go in as one", async () => {
    const bytes = { contentType: "application/octet-stream", base64: "AP8=", bytes: 2 };
    await sql({ query: `create table files (content ${types.bytes})` });
    await sql({ query: "insert into files (content) values (:content)", parameters: { content: bytes } });
    expect(await sql({ query: "select content from files" })).toMatchObject({ rows: [{ content: bytes }] });
  });

  test("reads at most maxRows rows and says that there are more", async () => {
    await fill("many", 1300);
    const byDefault = (await sql({ query: "select * from many order by id" })) as { rows: JsonValue[] };
    expect(byDefault).toMatchObject({ rowCount: 1000, truncated: true });
    expect(byDefault.rows).toHaveLength(1000);
    expect(await sql({ query: "select id from many order by id", maxRows: 2 })).toEqual({
      rows: [{ id: 1 }, { id: 2 }],
      rowCount: 2,
      truncated: true,
    });
    const all = await sql({ query: "select id from many order by id", maxRows: 1300 });
    expect(all).toMatchObject({ rowCount: 1300, truncated: false });
  });

  test("streams all rows into a file of JSON lines", async () => {
    await fill("streamed", 1205);
    const runFiles = fakeRunFiles();
    const output = await sql(
      { query: "select id, label from streamed order by id", as: "file" },
      { runFiles },
    );
    expect(output).toMatchObject({
      file: { name: "find.jsonl", contentType: "application/x-ndjson" },
      rowCount: 1205,
      truncated: false,
    });
    const lines = runFiles.stored[0]!.trimEnd().split("\n");
    expect(lines).toHaveLength(1205);
    expect(JSON.parse(lines.at(-1)!)).toEqual({ id: 1205, label: "row 1205" });
    const cut = await sql({ query: "select id from streamed", as: "file", maxRows: 150 }, { runFiles });
    expect(cut).toMatchObject({ rowCount: 150, truncated: true });
    expect(runFiles.stored[1]!.trimEnd().split("\n")).toHaveLength(150);
  });

  test("a file that cannot be stored ends the query", async () => {
    await fill("refused", 1200);
    const runFiles = {
      async create(_target: unknown, _description: unknown, source: AsyncIterable<Buffer>) {
        for await (const _chunk of source) throw Object.assign(new Error("The disk is full."), { code: "x" });
      },
    };
    await expect(sql({ query: "select * from refused", as: "file" }, { runFiles })).rejects.toThrow(
      "disk is full",
    );
  });

  test("rows over the byte budget fail before they are all read", async () => {
    await fill("wide", 1000);
    await expect(
      sql({ query: "select * from wide" }, { limits: { value_bytes: 5000 } }),
    ).rejects.toMatchObject({ code: "output_too_large", message: expect.stringContaining("as: file") });
  });

  test("a transaction takes effect as a whole or not at all", async () => {
    await create("account");
    const insert = (id: JsonValue) => ({
      query: "insert into account (id, label) values (:id, 'x')",
      parameters: { id },
    });
    await expect(
      sql({ operation: "transaction", statements: [insert(1), { query: "select * from nowhere" }] }),
    ).rejects.toMatchObject({ code: "query_failed", message: expect.stringContaining("nowhere") });
    const count = { query: "select count(*) as n from account" };
    expect(await sql(count)).toMatchObject({ rows: [{ n: 0 }] });
    const done = await sql({ operation: "transaction", statements: [insert(1), insert(2), count] });
    expect(done).toMatchObject({
      results: [{ rowCount: 1 }, { rowCount: 1 }, { rows: [{ n: 2 }], rowCount: 1 }],
    });
    expect(await sql(count)).toMatchObject({ rows: [{ n: 2 }] });
  });

  test("several statements in one query are refused", async () => {
    await create("kept");
    await expect(sql({ query: "select 1; drop table kept" })).rejects.toMatchObject({ code: "query_failed" });
    expect(await sql({ query: "select count(*) as n from kept" })).toMatchObject({ rows: [{ n: 0 }] });
  });

  test("a mistake in the query is the message of the database, and is not retried", async () => {
    await expect(sql({ query: "selec 1" })).rejects.toMatchObject({
      code: "query_failed",
      permanent: true,
      message: expect.stringMatching(/syntax/i),
    });
  });

  test("a cancelled step ends its statement", async () => {
    await prepare?.();
    const controller = new AbortController();
    const failure = sql({ query: endless }, { signal: controller.signal }).catch((error: unknown) => error);
    setTimeout(() => controller.abort(new Error("cancelled")), 300);
    expect(await failure).toMatchObject({ message: "cancelled" });
  });
}
