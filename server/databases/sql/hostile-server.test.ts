import { type AddressInfo, createServer, type Socket } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { SELF_SIGNED } from "../../../test/support/self-signed.ts";
import { createEgress } from "../../security/egress.ts";
import { type DatabaseTarget, parseDatabaseUrl } from "../database-url.ts";
import { LargeCell } from "./large-cell.ts";
import { createMySqlDriver } from "./mysql.ts";
import { mysqlValue } from "./mysql-types.ts";
import { createPostgresDriver } from "./postgres.ts";
import { typeParserOf } from "./postgres-types.ts";
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

  test("large lists and JSON are parsed in parts, and one of too many values ends the step", async () => {
    const long = "a\\,{b".repeat(20_000);
    const cells: [number, string, unknown][] = [
      [1007, `{{${Array(30_000).fill("1").join(",")}},{NULL}}`, [Array(30_000).fill(1), [null]]],
      [1009, `{${JSON.stringify(long)}}`, [long]],
      [
        3802,
        `{"a":[${Array(30_000).fill("{}").join(",")}]}`,
        { a: Array.from({ length: 30_000 }, () => ({})) },
      ],
      [20, "9".repeat(100_000), "9".repeat(100_000)],
    ];
    for (const [oid, text, value] of cells) {
      const answer = [columns(oid), row(text), message("C", Buffer.from("SELECT 1\0")), READY];
      const output = (await runSql(await driverOf(answer, { closes: true }), query)) as { rows: unknown[] };
      expect(output.rows).toEqual([{ a: value }]);
      const isList = typeof value === "object";
      expect(typeParserOf(oid)(text)).toEqual(isList ? expect.any(LargeCell) : value);
    }
    for (const [oid, text] of [cells[0]!, cells[2]!]) {
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

  test("JSON is parsed, and large JSON in parts", () => {
    const json = (type: string, text: string, extendedFormat = "") =>
      mysqlValue({ type, extendedFormat }, () => text);
    expect(json("JSON", '{"a":[1]}')).toEqual({ a: [1] });
    expect(json("BLOB", "[1]", "json")).toEqual([1]);
    expect(json("BLOB", "[1]")).toBe("[1]");
    expect(json("JSON", `[${"1,".repeat(50_000)}1]`)).toBeInstanceOf(LargeCell);
  });

  test("a date that is none is text", () => {
    expect(mysqlValue({ type: "TIMESTAMP" }, () => "2024-13-45 00:00:00")).toBe("2024-13-45 00:00:00");
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
