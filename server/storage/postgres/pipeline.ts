import type { Connection, Submittable } from "pg";
import type { Row, Statement } from "../db.ts";
import { type CompiledSql, valuesOf } from "../parameters.ts";
import { statementName, toPostgres } from "./dialect.ts";
import { type Parser, parserOf, toParameter } from "./values.ts";

interface Prepared extends CompiledSql {
  name: string;
  columns: { name: string; parse: Parser }[];
}

/** Prepared statements of one connection. A text is parsed and described once; afterwards only values are sent. */
export interface PreparedStatements {
  byText: Map<string, Prepared>;
  /** False behind a pooler that may run each transaction on another server connection. */
  named: boolean;
}

interface RowDescription {
  fields: { name: string; dataTypeID: number }[];
}

/**
 * Many statements in one round trip: Bind and Execute for each, then one Sync. Everything before a Sync is one
 * transaction, so it is all or nothing without `begin` and `commit`. `pg` drives it like one of its own queries.
 */
export function createPipeline(
  statements: readonly Statement[],
  prepared: PreparedStatements,
  settle: (error: unknown, rows: Row[][]) => void,
): Submittable {
  const used: Prepared[] = [];
  const fresh: string[] = [];
  const rows: Row[][] = statements.map(() => []);
  let at = 0;

  /** Cached by text, or parsed now. Closing an unknown name is no error; parsing an existing name would be one. */
  function prepare(connection: Connection, sql: string): Prepared {
    const known = prepared.byText.get(sql);
    if (known !== undefined) return known;
    const compiled = toPostgres(sql);
    const { text } = compiled;
    const name = prepared.named ? statementName(text) : "";
    if (prepared.named) connection.close({ type: "S", name }, true);
    connection.parse({ name, text, types: [] }, true);
    const made: Prepared = { ...compiled, name, columns: [] };
    if (!prepared.named) return made;
    connection.describe({ type: "S", name }, true);
    prepared.byText.set(sql, made);
    fresh.push(sql);
    return made;
  }

  function send(connection: Connection, { sql, params }: Statement): void {
    const statement = prepare(connection, sql);
    used.push(statement);
    const values = valuesOf(statement, params);
    // @types/pg lacks mapped values and an Execute without a row limit.
    connection.bind({ statement: statement.name, values, valueMapper: toParameter } as never, true);
    if (!prepared.named) connection.describe({ type: "P", name: "" }, true);
    connection.execute({} as never, true);
  }

  return {
    submit(connection: Connection) {
      connection.stream.cork();
      for (const statement of statements) send(connection, statement);
      connection.sync();
      connection.stream.uncork();
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
    handleCommandComplete() {
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
    handleCopyInResponse() {},
    handleCopyData() {},
  } as Submittable;
}
