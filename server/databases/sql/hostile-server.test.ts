import { type AddressInfo, createServer, type Socket } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { SELF_SIGNED } from "../../../test/support/self-signed.ts";
import { createEgress } from "../../security/egress.ts";
import { type DatabaseTarget, parseDatabaseUrl } from "../database-url.ts";
import { createMySqlDriver } from "./mysql.ts";
import { mysqlValue } from "./mysql-types.ts";
import { createPostgresDriver } from "./postgres.ts";
import { typeParserOf } from "./postgres-types.ts";
import { parseCells, UnparsedCell } from "./unparsed-cell.ts";
import { fakeRunFiles, runSql } from "./testing/driver-contract.ts";
import { OK, packet, startHostileMySql } from "./testing/hostile-mysql.ts";
import {
  columns,
  type HostilePostgres,
  int16,
  int32,
  message,
  READY,
  row,
  startHostilePostgres,
} from "./testing/hostile-postgres.ts";

const egress = createEgress({ allowPrivate: true, allow: [], deny: [] });
const trust = { ca: SELF_SIGNED.certificate };

async function driverOf(answer: Parameters<typeof startHostilePostgres>[0], options: HostilePostgres = {}) {
  const server = await startHostilePostgres(answer, options);
  onTestFinished(server.close);
  const target = parseDatabaseUrl(`postgres://u:secret@localhost:${server.port}/d?sslmode=disable`);
  const tls = options.tls ? "verified" : "off";
  return createPostgresDriver({ egress, trust }, { ...target, tls } as DatabaseTarget);
}

const query = { query: "select 1" };
const binary = (bytes: Buffer) => ({
  contentType: "application/octet-stream",
  base64: bytes.toString("base64"),
  bytes: bytes.length,
});
const malformed: [string, Buffer[]][] = [
  ["a row that is shorter than its number of columns", [columns(25), message("D", int16(3))]],
  ["a copy that was not asked for", [message("G", Buffer.from([0, 0, 0])), message("d", Buffer.from("x"))]],
];
const values: [string, number, string][] = [
  ["JSON that is none", 114, "{not json"],
  ["JSON that is none in an array", 199, '{"{not json"}'],
  ["an array of 200,000 dimensions", 1007, "{".repeat(200_000)],
];

describe("a hostile PostgreSQL server", () => {
  test.each(malformed)("%s fails the step, not the process", async (_name, answer) => {
    for (const tls of [false, true])
      await expect(runSql(await driverOf(answer, { tls }), query)).rejects.toMatchObject({
        code: "connection_failed",
      });
  });

  test.each(values)("%s is text", async (_name, oid, text) => {
    expect(() => typeParserOf(oid)(text)).not.toThrow();
    const answer = [columns(oid), row(text), message("C", Buffer.from("SELECT 1\0")), READY];
    const driver = await driverOf(answer, { closes: true });
    const output = (await runSql(driver, query)) as { rows: unknown[] };
    expect(output.rows).toEqual([{ a: oid === 199 ? ["{not json"] : text }]);
  });

  const numbers = Array(30_000).fill(1111);
  const objects = `[${Array(30_000).fill("{}").join(",")}]`;
  const long = "a\\,{b".repeat(20_000);
  const large: [string, number, string, unknown][] = [
    ["an array in an array", 1007, `{{${numbers.join(",")}},{NULL}}`, [numbers, [null]]],
    ["a long quoted text", 1009, `{${JSON.stringify(long)}}`, [long]],
    ["a long plain text", 1009, `{${"a".repeat(100_000)},NULL}`, ["a".repeat(100_000), null]],
    ["JSON", 3802, `{"a":${objects}}`, { a: JSON.parse(objects) }],
    ["JSON in an array", 3807, `{"${objects}",NULL}`, [JSON.parse(objects), null]],
    ["bytes", 17, `\\x${"00ff".repeat(100_000)}`, binary(Buffer.alloc(200_000, "00ff", "hex"))],
    [
      "bytes in an array",
      1001,
      `{"\\\\x${"00ff".repeat(100_000)}",NULL}`,
      [binary(Buffer.alloc(200_000, "00ff", "hex")), null],
    ],
    ["an endless number", 20, "9".repeat(100_000), "9".repeat(100_000)],
    ["an endless number in an array", 1016, `{${"9".repeat(100_000)}}`, ["9".repeat(100_000)]],
  ];

  test.each(large)("%s is read in parts", async (_name, oid, text, value) => {
    const cell = typeParserOf(oid)(text);
    if (cell instanceof UnparsedCell) {
      const work = cell.parse(() => undefined);
      let parts = 1;
      while (work.next().done !== true) parts += 1;
      expect(parts).toBeGreaterThan(2);
    }
    const answer = [columns(oid), row(text), message("C", Buffer.from("SELECT 1\0")), READY];
    const output = (await runSql(await driverOf(answer, { closes: true }), query)) as { rows: unknown[] };
    expect(output.rows).toEqual([{ a: value }]);
  });

  test("a list or JSON of too many values ends the step", async () => {
    // Of 37,500 values, which is more than any of these has.
    await runSql(await driverOf([columns(1007), row(large[0]![2]), READY]), query, {
      limits: { value_bytes: 600_000 },
    });
    for (const [, oid, text] of large.filter(([name]) => /^JSON|^an array/.test(name))) {
      const answer = [columns(oid), row(text), message("C", Buffer.from("SELECT 1\0")), READY];
      const limits = { value_bytes: 300_000 };
      const failure = runSql(
        await driverOf(answer),
        { ...query, as: "file" },
        { limits, runFiles: fakeRunFiles() },
      );
      await expect(failure).rejects.toMatchObject({
        code: "output_too_large",
        message: expect.stringContaining("18750 values"),
      });
    }
  });

  test("the values of all rows that are held are limited together", async () => {
    const rowOf = () => ({ a: typeParserOf(3802)(objects) }) as never;
    const parse = (rows: number) =>
      parseCells(Array.from({ length: rows }, rowOf), { maxCellSize: 1e6, maxHeldBytes: 2e6 }, signal);
    const { signal } = new AbortController();
    await parse(2);
    await expect(parse(3)).rejects.toMatchObject({ code: "output_too_large" });
  });

  test("a query of more than 100,000 characters is refused before a connection is opened", async () => {
    const driver = createPostgresDriver({ egress }, { host: "none.invalid" } as DatabaseTarget);
    const long = `select 1${" ".repeat(100_000)}`;
    for (const fields of [{ query: long }, { operation: "transaction", statements: [{ query: long }] }])
      await expect(runSql(driver, fields)).rejects.toMatchObject({
        code: "invalid_field",
        message: expect.stringContaining("100000 characters"),
      });
  });

  test("a cancelled step ends although the server neither answers nor closes a connection", async () => {
    const controller = new AbortController();
    const driver = await driverOf(() => controller.abort(new Error("cancelled")), {
      onSecondConnection(socket) {
        const timer = setInterval(() => socket.write("x"), 50);
        socket.once("close", () => clearInterval(timer));
      },
    });
    await expect(runSql(driver, query, { signal: controller.signal })).rejects.toThrow("cancelled");
  });

  test("a finished step ends although the server does not close the connection", async () => {
    const driver = await driverOf([columns(25), row("a"), message("C", Buffer.from("SELECT 1\0")), READY]);
    expect(await runSql(driver, query)).toMatchObject({ rows: [{ a: "a" }] });
  });

  test("a row larger than what may be in memory ends the connection, whatever the total is", async () => {
    const chunk = Buffer.alloc(64 * 1024, "a");
    const endless = (socket: Socket): void => {
      const header = [Buffer.from("D"), int32(1_200_000_006), int16(1), int32(1_200_000_000)];
      socket.write(Buffer.concat([columns(25), ...header]));
      const send = (): void => void (!socket.destroyed && socket.write(chunk, send));
      send();
    };
    const job = { statements: [{ query: "select 1", parameters: [] }], transaction: false, maxRows: 1 };
    const limits = { maxReceivedBytes: 1e12, maxHeldBytes: 1e6, maxCellSize: 1e6, timeoutMs: 60_000 };
    const driver = await driverOf(endless);
    await expect(
      driver({ ...job, ...limits }, async () => true, new AbortController().signal),
    ).rejects.toMatchObject({ code: "output_too_large", message: expect.stringContaining("memory") });
  });
});

describe("a hostile MySQL server", () => {
  async function mySqlOf(tls: boolean, answer: Buffer) {
    const server = await startHostileMySql(answer, { tls });
    onTestFinished(server.close);
    const target = parseDatabaseUrl(`mysql://u:secret@localhost:${server.port}/d`);
    return createMySqlDriver({ egress, trust }, {
      ...target,
      tls: tls ? "verified" : "off",
    } as DatabaseTarget);
  }

  test.each([false, true])("a malformed packet behind the login fails the step, TLS: %s", async (tls) => {
    const answer = Buffer.concat([packet(tls ? 3 : 2, OK), packet(tls ? 4 : 3, [0xff])]);
    await expect(runSql(await mySqlOf(tls, answer), query)).rejects.toMatchObject({
      code: "connection_failed",
    });
  });

  test.each([false, true])("a packet out of order ends the connection, TLS: %s", async (tls) => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    onTestFinished(() => log.mockRestore());
    const answer = Buffer.concat(Array.from({ length: 1000 }, () => packet(77, OK)));
    await expect(runSql(await mySqlOf(tls, answer), query)).rejects.toMatchObject({
      code: "connection_failed",
    });
    expect(log).not.toHaveBeenCalled();
  });

  test("JSON is kept to be parsed in parts", () => {
    const json = (type: string, extendedFormat = "") =>
      mysqlValue({ type, extendedFormat, buffer: () => null }, () => "[1]");
    expect(json("JSON")).toBeInstanceOf(UnparsedCell);
    expect(json("BLOB", "json")).toBeInstanceOf(UnparsedCell);
    expect(json("BLOB")).toBe("[1]");
  });

  test("a date that is none is text", () => {
    expect(mysqlValue({ type: "TIMESTAMP", buffer: () => null }, () => "2024-13-45 00:00:00")).toBe(
      "2024-13-45 00:00:00",
    );
  });

  test("a cancelled step ends although the server never greets", async () => {
    const controller = new AbortController();
    const sockets: Socket[] = [];
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      sockets.push(socket.on("error", () => undefined));
      controller.abort(new Error("cancelled"));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.close();
      sockets.forEach((socket) => socket.destroy());
    });
    const { port } = server.address() as AddressInfo;
    const target = parseDatabaseUrl(`mysql://u:secret@127.0.0.1:${port}/d?sslmode=disable`) as DatabaseTarget;
    const driver = createMySqlDriver({ egress }, target);
    await expect(runSql(driver, query, { signal: controller.signal })).rejects.toThrow("cancelled");
  });
});
