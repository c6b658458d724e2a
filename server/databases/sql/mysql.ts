import type { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import type { Connection, ResultSetHeader } from "mysql2";
import { isRecord, type JsonValue } from "../../../contract/placeholders/json-value.ts";
import { AppError } from "../../lib/errors.ts";
import { bytesOf } from "../../steps/binary-value.ts";
import type { DatabaseTarget } from "../database-url.ts";
import {
  connectionFailure,
  destroyOnThrow,
  limitReceivedBytes,
  openGuardedSocket,
} from "../guarded-socket.ts";
import { mysqlValue } from "./mysql-types.ts";
import { bindParameters } from "./named-parameters.ts";
import { loginRefused, queryFailure } from "./query-failure.ts";
import { excessOf } from "./received-bytes.ts";
import {
  BATCH_ROWS,
  END_MS,
  endOnAbort,
  type NetworkDriverDeps,
  READ_BYTES,
  type Row,
  type RowSink,
  type SqlDriver,
  type SqlJob,
  type StatementSummary,
} from "./sql-driver.ts";
import { tlsOptions } from "./tls-options.ts";
import { parseCells } from "./unparsed-cell.ts";

type MySql = typeof import("mysql2");

/** Deadlock, lock wait, too many connections, server shutdown: the same transaction may succeed later. */
const TRANSIENT = new Set([1213, 1205, 1040, 1053, 1203]);
/** Access denied, unknown database, and the plugins of a login. */
const LOGIN = new Set([1044, 1045, 1049, 1698]);
/** A server that does not answer a KILL within this time is not waited for. */
const KILL_MS = 5000;
const KILL_BYTES = 1024 * 1024;
/** Rows that the driver reads ahead. */
const AHEAD_ROWS = 10;

/** MySQL and MariaDB. Statements are prepared on the server, so that parameters are never part of the text. */
export function createMySqlDriver(deps: NetworkDriverDeps, target: DatabaseTarget): SqlDriver {
  return endOnAbort(async (job, sink, signal) => {
    const { default: mysql } = (await import("mysql2")) as unknown as { default: MySql };
    signal.throwIfAborted();
    const { connection, socket, takeBytes } = await open(mysql, deps, target, job, signal);
    const cancel = (): void => {
      void killStatement(mysql, deps, target, connection).catch(() => undefined);
    };
    signal.addEventListener("abort", cancel);
    let failed = true;
    try {
      // Rows beyond the limit are not sent, unless the query has a LIMIT of its own.
      await send(connection, `set time_zone = '+00:00', sql_select_limit = ${job.maxRows + 1}`);
      if (job.transaction) await send(connection, "start transaction");
      const summaries: StatementSummary[] = [];
      for (const [index, statement] of job.statements.entries()) {
        const { text, values } = bindParameters(statement, () => "?");
        const stream = connection
          .execute(text, values.map(toMySql) as never)
          .stream({ highWaterMark: AHEAD_ROWS });
        // The driver reports a broken socket to the connection, not to the statement.
        const destroy = (error: Error): void => void stream.destroy(error);
        const abort = (): void => destroy(signal.reason as Error);
        connection.once("error", destroy);
        signal.addEventListener("abort", abort);
        try {
          summaries.push(await readAll(stream, index, sink, { job, takeBytes, signal }));
        } finally {
          connection.off("error", destroy);
          signal.removeEventListener("abort", abort);
        }
      }
      if (job.transaction) await send(connection, "commit");
      failed = false;
      return summaries;
    } catch (error) {
      signal.throwIfAborted();
      throw toFailure(error, target);
    } finally {
      signal.removeEventListener("abort", cancel);
      // Closing the connection rolls back a transaction that was not committed.
      if (failed) connection.destroy();
      else connection.end();
      // Both only ask the server to close the connection.
      if (failed) socket.destroy();
      else setTimeout(() => socket.destroy(), END_MS).unref();
    }
  });
}

async function open(
  mysql: MySql,
  { egress, trust }: NetworkDriverDeps,
  target: DatabaseTarget,
  limits: Pick<SqlJob, "maxReceivedBytes" | "maxHeldBytes">,
  signal: AbortSignal,
): Promise<{ connection: Connection; socket: Socket; takeBytes: () => number }> {
  const socket = await openGuardedSocket(egress, target);
  const destroy = (): void => void socket.destroy();
  signal.addEventListener("abort", destroy, { once: true });
  socket.once("close", () => signal.removeEventListener("abort", destroy));
  if (signal.aborted) destroy();
  const takeBytes = limitReceivedBytes(socket, excessOf(limits));
  const connection = mysql.createConnection({
    host: target.host,
    port: target.port,
    user: target.user ?? "root",
    password: target.password ?? "",
    ...(target.database !== undefined && { database: target.database }),
    ...(target.tls !== "off" && {
      ssl: { ...tlsOptions(target, trust), verifyIdentity: target.tls === "verified" } as never,
    }),
    stream: socket,
    // A server could otherwise ask for files of this machine.
    flags: ["-LOCAL_FILES"],
    // Rows are parsed by code of the library, not by code that it generates from column names.
    disableEval: true,
    supportBigNumbers: true,
    dateStrings: true,
    typeCast: mysqlValue,
    jsonStrings: true,
    charset: "utf8mb4",
  });
  // The statement in progress fails with the same error. Without a listener it would end the process.
  connection.on("error", () => undefined);
  // A packet out of order. The driver would write a line to the log for each, as often as the server sends one.
  (connection as EventEmitter).on("warn", (error: Error) => {
    throw error;
  });
  destroyTlsOnThrow(connection);
  try {
    await new Promise<void>((resolve, reject) =>
      connection.connect((error) => (error ? reject(error) : resolve())),
    );
    return { connection, socket, takeBytes };
  } catch (error) {
    connection.destroy();
    socket.destroy();
    throw toFailure(error, target);
  }
}

/** With TLS the driver reads from a socket of its own. The event that ends the login may already contain more packets. */
function destroyTlsOnThrow(connection: Connection): void {
  const driver = connection as unknown as { stream: Socket; startTLS(onSecure: unknown): void };
  const startTls = driver.startTLS.bind(driver);
  driver.startTLS = (onSecure) => {
    startTls(onSecure);
    destroyOnThrow(driver.stream);
  };
}

function send(connection: Connection, text: string): Promise<void> {
  return new Promise((resolve, reject) =>
    connection.query(text, (error) => (error ? reject(error) : resolve())),
  );
}

async function readAll(
  stream: Readable,
  index: number,
  sink: RowSink,
  { job, takeBytes, signal }: { job: SqlJob; takeBytes: () => number; signal: AbortSignal },
): Promise<StatementSummary> {
  let header: ResultSetHeader | undefined;
  let returned = 0;
  let bytes = 0;
  let wanted = true;
  let batch: Row[] = [];
  const flush = async (): Promise<void> => {
    if (wanted && batch.length > 0) {
      await parseCells(batch, job, signal);
      wanted = await sink(index, batch);
    }
    batch = [];
    bytes = 0;
  };
  for await (const item of stream as AsyncIterable<Row | ResultSetHeader>) {
    if (isHeader(item)) {
      header = item;
      continue;
    }
    returned++;
    // The protocol cannot stop a result, so rows that are not wanted are read and dropped.
    if (wanted) batch.push(item);
    bytes += takeBytes();
    if (batch.length >= BATCH_ROWS || bytes > READ_BYTES) await flush();
  }
  await flush();
  if (header === undefined) return { rowCount: returned };
  return {
    rowCount: returned > 0 ? returned : header.affectedRows,
    ...(header.insertId !== 0 && { insertId: header.insertId }),
  };
}

/** The driver's own class; a row is a plain object. */
function isHeader(item: Row | ResultSetHeader): item is ResultSetHeader {
  return item.constructor?.name === "ResultSetHeader";
}

/** Lists and objects are JSON. */
function toMySql(value: JsonValue): unknown {
  if (!isRecord(value) && !Array.isArray(value)) return value;
  return bytesOf(value) ?? JSON.stringify(value);
}

async function killStatement(
  mysql: MySql,
  deps: NetworkDriverDeps,
  target: DatabaseTarget,
  { threadId }: Connection,
): Promise<void> {
  if (!threadId) return;
  const limits = { maxReceivedBytes: KILL_BYTES, maxHeldBytes: KILL_BYTES };
  const { connection, socket } = await open(mysql, deps, target, limits, AbortSignal.timeout(KILL_MS));
  await send(connection, `kill query ${Number(threadId)}`).finally(() => socket.destroy());
}

function toFailure(error: unknown, target: DatabaseTarget): unknown {
  const known = error instanceof AppError ? error : (error as Error).cause;
  if (known instanceof AppError) return known;
  const { errno, code, sqlState } = error as { errno?: number; code?: string; sqlState?: string };
  if (sqlState === undefined || errno === undefined) return connectionFailure(target, error);
  return LOGIN.has(errno)
    ? loginRefused(target.host, error)
    : queryFailure(error, code, TRANSIENT.has(errno));
}
