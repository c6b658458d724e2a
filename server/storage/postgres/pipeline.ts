import type { Connection, Submittable } from "pg";
import type { Copy, Row, Statement } from "../db.ts";
import { type CompiledSql, valuesOf } from "../parameters.ts";
import { statementName, toPostgres } from "./dialect.ts";
import type { MessageWriter } from "./message-writer.ts";
import { type Parser, parserOf } from "./values.ts";

interface Prepared extends CompiledSql {
  name: string;
  columns: { name: string; parse: Parser }[];
}

/** Prepared statements of one connection. A text is parsed and described once; afterwards only values are sent. */
export interface PreparedStatements {
  byText: Map<string, Prepared>;
  /** False behind a pooler that may run each transaction on another server connection. */
  named: boolean;
  /** One per connection: one pipeline is in flight at a time. */
  writer: MessageWriter;
}

interface RowDescription {
  fields: { name: string; dataTypeID: number }[];
}

/** `INSERT 0 3`, `UPDATE 1`: the last word is the number of rows. */
interface CommandTag {
  text: string;
}

/**
 * Many statements in one round trip: Bind and Execute for each, and the rows of a copy, then one Sync. Everything before a Sync is one
 * transaction, so it is all or nothing without `begin` and `commit`. `pg` drives it like one of its own queries.
 */
export function createPipeline(
  statements: readonly Statement[],
  prepared: PreparedStatements,
  settle: (error: unknown, rows: Row[][]) => void,
): Submittable {
  const { writer } = prepared;
  const used: Prepared[] = [];
  const fresh: string[] = [];
  const rows: Row[][] = statements.map(() => []);
  let at = 0;

  /** Cached by text, or parsed now. Closing an unknown name is not an error; parsing an existing name would be one. */
  function prepare(sql: string): Prepared {
    const known = prepared.byText.get(sql);
    if (known !== undefined) return known;
    const compiled = toPostgres(sql);
    const { text } = compiled;
    const name = prepared.named ? statementName(text) : "";
    if (prepared.named) writer.close(name);
    writer.parse(name, text);
    const made: Prepared = { ...compiled, name, columns: [] };
    if (!prepared.named) return made;
    writer.describe("S", name);
    prepared.byText.set(sql, made);
    fresh.push(sql);
    return made;
  }

  function write({ sql, params, copy }: Statement): void {
    const statement = prepare(sql);
    used.push(statement);
    if (copy !== undefined) return writeCopy(statement.name, copy);
    writer.bind(statement.name, valuesOf(statement, params));
    if (!prepared.named) writer.describe("P", "");
    writer.execute();
  }

  function writeCopy(name: string, { columns, values }: Copy): void {
    writer.bind(name, []);
    writer.execute();
    writer.copy(columns, values);
  }

  return {
    submit(connection: Connection) {
      writer.clear();
      try {
        for (const statement of statements) write(statement);
      } catch (error) {
        // Nothing was sent, so the connection stays usable.
        return error as Error;
      }
      writer.sync();
      if (connection.stream.writable) connection.stream.write(writer.bytes());
      return null;
    },
    handleRowDescription({ fields }: RowDescription) {
      used[at]!.columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }));
    },
    handleDataRow({ fields }: { fields: (string | null)[] }) {
      const row: Row = {};
      const { columns } = used[at]!;
      for (let i = 0; i < columns.length; i += 1) {
        const { name, parse } = columns[i]!;
        const value = fields[i]!;
        row[name] = value === null ? null : parse(value);
      }
      rows[at]!.push(row);
    },
    handleCommandComplete({ text }: CommandTag) {
      if (statements[at]!.counted === true) rows[at]!.push({ changes: Number(text.split(" ").at(-1)) });
      at += 1;
    },
    handleEmptyQuery() {
      at += 1;
    },
    handleReadyForQuery() {
      settle(undefined, rows);
    },
    handleError(error: unknown) {
      // The server skips everything after the error, so it is unknown which of these it has parsed.
      for (const sql of fresh) prepared.byText.delete(sql);
      settle(error, []);
    },
    handlePortalSuspended() {},
    // The rows have been sent already.
    handleCopyInResponse() {},
    handleCopyData() {},
  } as Submittable;
}
