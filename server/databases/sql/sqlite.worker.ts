import { readFileSync, writeSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { DatabaseSync } from "@photostructure/sqlite";
import { isRecord, type JsonValue } from "../../../contract/placeholders/json-value.ts";
import { messageOf } from "../../lib/errors.ts";
import { bytesOf, toBinaryValue } from "../../steps/binary-value.ts";
import { bindParameters } from "./named-parameters.ts";
import type { Row, SqlStatement, StatementSummary } from "./sql-driver.ts";
import type { SqliteEnd, SqliteJob } from "./sqlite-message.ts";
import { allowsAction, ALLOW, DENY } from "./sqlite-rules.ts";
import { exactInteger, floatValue } from "./sql-values.ts";

const MAX_HEAP_BYTES = 256 * 1024 * 1024;

class TooLargeError extends Error {
  readonly bytes: number;
  constructor(bytes: number) {
    super();
    this.bytes = bytes;
  }
}

/** One job: statements on a file of the owner. A process, because SQLite cannot be interrupted from another thread here. */
function main(): void {
  const job = JSON.parse(readFileSync(0, "utf8")) as SqliteJob;
  let end: SqliteEnd;
  try {
    end = { type: "done", summaries: run(job) };
  } catch (error) {
    end =
      error instanceof TooLargeError
        ? { type: "too_large", bytes: error.bytes }
        : { type: "refused", message: messageOf(error) };
  }
  send(end);
}

function run(job: SqliteJob): StatementSummary[] {
  const { path, readOnly, statements, transaction } = job;
  // Immutable: nothing is locked or created beside the file, also when it was written in WAL mode.
  const address = readOnly ? `${pathToFileURL(path).href}?immutable=1` : path;
  const db = new DatabaseSync(address, {
    readOnly,
    allowExtension: false,
    defensive: true,
    limits: { attach: 0, length: Math.min(job.maxFileBytes, job.maxReceivedBytes) },
  });
  try {
    db.exec("pragma trusted_schema = off; pragma cell_size_check = on; pragma foreign_keys = on");
    // A sort of billions of rows fills neither the disk nor the memory of the machine.
    db.exec(`pragma temp_store = memory; pragma hard_heap_limit = ${MAX_HEAP_BYTES}`);
    if (!readOnly) {
      // The file is a copy that is thrown away after a crash.
      db.exec("pragma journal_mode = delete; pragma journal_mode = memory; pragma synchronous = off");
      const { page_size: pageSize } = db.prepare("pragma page_size").get() as { page_size: number };
      db.exec(`pragma max_page_count = ${Math.floor(job.maxFileBytes / pageSize)}`);
    }
    db.setAuthorizer((action, first, second) => (allowsAction(action, first, second) ? ALLOW : DENY));
    if (transaction) db.exec("begin");
    const countBytes = createByteCount(job);
    const summaries = statements.map((statement, index) =>
      execute(db, statement, job.maxRows, (row) => {
        countBytes(row);
        send([index, fromSqlite(row)]);
      }),
    );
    if (transaction) db.exec("commit");
    return summaries;
  } finally {
    db.close();
  }
}

type Connection = InstanceType<typeof DatabaseSync>;
type Statement = ReturnType<Connection["prepare"]>;

type SqliteRow = Record<string, unknown>;

/** Refuses a row before it is made into JSON, which takes several times its memory. */
function createByteCount({ maxReceivedBytes, maxHeldBytes }: SqliteJob) {
  let total = 0;
  return (row: SqliteRow): void => {
    let bytes = 0;
    for (const [name, value] of Object.entries(row)) {
      bytes += name.length;
      if (typeof value === "string" || value instanceof Uint8Array) bytes += value.length;
    }
    total += bytes;
    if (bytes > maxHeldBytes) throw new TooLargeError(maxHeldBytes);
    if (total > maxReceivedBytes) throw new TooLargeError(maxReceivedBytes);
  };
}

function execute(
  db: Connection,
  given: SqlStatement,
  maxRows: number,
  sendRow: (row: SqliteRow) => void,
): StatementSummary {
  const { text, values } = bindParameters(given, () => "?");
  const statement = db.prepare(text);
  statement.setReadBigInts(true);
  const parameters = values.map(toSqlite) as never[];
  if (statement.columns().length === 0) return changesOf(statement, parameters);
  let rowCount = 0;
  for (const row of statement.iterate(...parameters)) {
    // One more than wanted, so that the parent knows that there are more.
    if (rowCount > maxRows) break;
    rowCount++;
    sendRow(row as SqliteRow);
  }
  return { rowCount: Math.min(rowCount, maxRows) };
}

function changesOf(statement: Statement, parameters: never[]): StatementSummary {
  const { changes, lastInsertRowid } = statement.run(...parameters);
  const inserted = /^\s*(insert|replace)\b/i.test(statement.sourceSQL) && Number(changes) > 0;
  return { rowCount: Number(changes), ...(inserted && { insertId: exactInteger(BigInt(lastInsertRowid)) }) };
}

/** Lists and objects are JSON, true and false are 1 and 0. */
function toSqlite(value: JsonValue): unknown {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (!isRecord(value) && !Array.isArray(value)) return value;
  return bytesOf(value) ?? JSON.stringify(value);
}

function fromSqlite(row: SqliteRow): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]): [string, JsonValue] => {
      if (typeof value === "bigint") return [name, exactInteger(value)];
      if (typeof value === "number") return [name, floatValue(value)];
      if (value instanceof Uint8Array) return [name, toBinaryValue(Buffer.from(value))];
      return [name, value as string | null];
    }),
  );
}

/** Blocks while the parent is slower, so that no more than a row is held. */
function send(line: [number, Row] | SqliteEnd): void {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
  for (let at = 0; at < bytes.length;) at += writeSync(1, bytes, at);
}

main();
