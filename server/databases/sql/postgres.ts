import type { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import type Cursor from "pg-cursor";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { AppError } from "../../lib/errors.ts";
import type { Egress } from "../../security/egress.ts";
import { bytesOf } from "../../steps/binary-value.ts";
import type { DatabaseTarget } from "../database-url.ts";
import {
  connectionFailure,
  destroyOnThrow,
  limitReceivedBytes,
  openGuardedSocket,
} from "../guarded-socket.ts";
import { bindParameters } from "./named-parameters.ts";
import { type OwnArrays, typeParserOf } from "./postgres-types.ts";
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

/** Serialization failures, deadlocks, and a server that starts or stops: the same transaction may succeed later. */
const TRANSIENT = /^(40001|40P01|55P03|57P0[123]|53\w{3}|08\w{3})$/;
const LOGIN = /^(28\w{3}|3D000)$/;
/** A server that does not answer a cancel request within this time is not waited for. */
const CANCEL_MS = 5000;
/** The first rows of a result that may be large, until their size is known. */
const FIRST_ROWS = 10;

export function createPostgresDriver(
  { egress, trust }: NetworkDriverDeps,
  target: DatabaseTarget,
): SqlDriver {
  return endOnAbort(async (job, sink, signal) => {
    const [{ default: pg }, { default: CursorClass }] = await Promise.all([
      import("pg"),
      import("pg-cursor"),
    ]);
    signal.throwIfAborted();
    const socket = await openGuardedSocket(egress, target);
    const takeBytes = limitReceivedBytes(socket, excessOf(job));
    // It is connecting already, to an address that was checked.
    Object.assign(socket, { connect: () => socket });
    const client = new pg.Client({
      host: target.host,
      port: target.port,
      user: target.user ?? "postgres",
      password: target.password ?? "",
      database: target.database ?? target.user ?? "postgres",
      ssl: target.tls === "off" ? false : tlsOptions(target, trust),
      stream: () => socket,
      application_name: "baton",
    });
    // The statement in progress fails with the same error. Without a listener it would end the process.
    let broken: Error | undefined;
    client.on("error", (error) => (broken = error));
    const { connection } = client as unknown as { connection: EventEmitter & { stream: Socket } };
    connection.once("sslconnect", () => destroyOnThrow(connection.stream));
    const cancel = (): void => {
      socket.destroy();
      void cancelStatement(egress, target, client).catch(() => undefined);
    };
    signal.addEventListener("abort", cancel);
    try {
      await client.connect();
      const { timeoutMs } = job;
      const ownArrays = await prepare(client, pg.DatabaseError, timeoutMs);
      const types = { getTypeParser: (oid: number) => typeParserOf(oid, ownArrays) };
      if (job.transaction) await client.query("begin");
      const summaries: StatementSummary[] = [];
      for (const [index, statement] of job.statements.entries()) {
        const { text, values } = bindParameters(statement, (position) => `$${position}`);
        const cursor = client.query(new CursorClass(text, values.map(toPostgres), { types } as never));
        summaries.push(await readAll(cursor, index, sink, { job, takeBytes, signal }));
      }
      if (job.transaction) await client.query("commit");
      return summaries;
    } catch (error) {
      signal.throwIfAborted();
      throw toFailure(socket.errored ?? broken ?? error, error, target);
    } finally {
      signal.removeEventListener("abort", cancel);
      // Closing the connection rolls back a transaction that was not committed.
      await Promise.race([client.end().catch(() => undefined), sleep(END_MS, undefined, { ref: false })]);
      socket.destroy();
    }
  });
}

/** One scan of `pg_type`; the composite types of tables have no elements that are worth a list. */
const OWN_ARRAYS = `select typarray as "array", case typtype when 'd' then typbasetype else oid end as element
  from pg_catalog.pg_type where oid >= 16384 and typarray <> 0 and typtype in ('b', 'd', 'e', 'm', 'r') and typdelim = ','`;

/** Settings that decide how values are written; a role may have others. Returns the array types of the database's own types. */
async function prepare(
  client: Client,
  RefusedByServer: new (...args: never[]) => Error,
  timeoutMs: number,
): Promise<OwnArrays> {
  const settings = `set statement_timeout = ${Math.ceil(timeoutMs)}; set datestyle = 'ISO, YMD'`;
  const formats = "set bytea_output = 'hex'; set intervalstyle = 'postgres'";
  try {
    const results = [await client.query(`${settings}; ${formats}; ${OWN_ARRAYS}`)].flat();
    const rows = (results.at(-1)?.rows ?? []) as { array: number; element: number }[];
    return new Map(rows.map(({ array, element }) => [array, element]));
  } catch (error) {
    if (!(error instanceof RefusedByServer)) throw error;
    // A database that only speaks the protocol may lack the formats or the table.
    await client.query(settings);
    return new Map();
  }
}

async function readAll(
  cursor: Cursor,
  index: number,
  sink: RowSink,
  { job, takeBytes, signal }: { job: SqlJob; takeBytes: () => number; signal: AbortSignal },
): Promise<StatementSummary> {
  let returned = 0;
  let count = job.maxReceivedBytes > job.maxHeldBytes ? FIRST_ROWS : BATCH_ROWS;
  for (;;) {
    const [rows, changed] = await new Promise<[Row[], number | null]>((resolve, reject) => {
      cursor.read(count, (error: Error | undefined, batch: Row[], result?: { rowCount: number | null }) =>
        error ? reject(error) : resolve([batch, result?.rowCount ?? null]),
      );
    });
    returned += rows.length;
    await parseCells(rows, job, signal);
    const wanted = rows.length === 0 || (await sink(index, rows));
    const bytes = takeBytes();
    if (rows.length === count && wanted) {
      count = Math.max(1, Math.min(BATCH_ROWS, Math.floor((READ_BYTES * rows.length) / bytes)));
      continue;
    }
    if (!wanted) await cursor.close();
    return { rowCount: wanted ? (changed ?? returned) : returned };
  }
}

/** Lists are arrays of PostgreSQL, objects are JSON. */
function toPostgres(value: JsonValue): unknown {
  return Array.isArray(value) ? value.map(toPostgres) : (bytesOf(value) ?? value);
}

/** The protocol's cancel request: a separate message on a second connection, which needs no login. */
async function cancelStatement(
  egress: Pick<Egress, "resolve">,
  target: DatabaseTarget,
  client: Client,
): Promise<void> {
  const { processID, secretKey } = client as unknown as {
    processID: number | null;
    secretKey: Buffer | number;
  };
  if (processID === null) return;
  const key = typeof secretKey === "number" ? int32(secretKey) : secretKey;
  const request = Buffer.concat([int32(12 + key.length), int32(80_877_102), int32(processID), key]);
  const socket = await openGuardedSocket(egress, target);
  const timer = setTimeout(() => socket.destroy(), CANCEL_MS).unref();
  socket.once("close", () => clearTimeout(timer)).once("error", () => socket.destroy());
  socket.end(request);
  socket.resume();
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function toFailure(fault: unknown, thrown: unknown, target: DatabaseTarget): unknown {
  if (thrown instanceof AppError) return thrown;
  if (fault instanceof AppError) return fault;
  const { code, severity } = thrown as { code?: string; severity?: string };
  if (severity === undefined) return connectionFailure(target, fault);
  return LOGIN.test(code ?? "")
    ? loginRefused(target.host, thrown)
    : queryFailure(thrown, code, TRANSIENT.test(code ?? ""));
}
