import { messageOf } from "../../lib/errors.ts";
import type { Row, SqlParams, SqlValue, Statement } from "../db.ts";
import { type CompiledSql, toQuestionMarks, valuesOf, withoutNul } from "../parameters.ts";
import type { SqliteConnection, SqliteStatement } from "./connection.ts";

interface Prepared extends CompiledSql {
  statement: SqliteStatement;
}

const BEYOND_NUMBERS = /too large to be represented as a JavaScript number/i;

/** Changes of the schema run once. */
const RUNS_ONCE = /^\s*(?:create|alter|drop)\b/i;

/** Each text is prepared once: running a prepared statement costs 2–4 µs, preparing it ten times that. */
export function createStatementCache(connection: SqliteConnection) {
  const cache = new Map<string, Prepared>();

  function prepare(sql: string): Prepared {
    let prepared = cache.get(sql);
    if (prepared === undefined) {
      const compiled = toQuestionMarks(sql);
      prepared = { ...compiled, statement: connection.prepare(compiled.text) };
      if (!RUNS_ONCE.test(sql)) cache.set(sql, prepared);
    }
    return prepared;
  }

  function run(sql: string, params?: SqlParams): Row[] {
    const prepared = prepare(sql);
    return prepared.statement.all(...storable(valuesOf(prepared, params)));
  }

  return {
    run,
    write({ sql, params, counted = false }: Statement): Row[] {
      if (!counted) return run(sql, params);
      const prepared = prepare(sql);
      const { changes } = prepared.statement.run(...storable(valuesOf(prepared, params)));
      return [{ changes: Number(changes) }];
    },
    /**
     * For statements that only read. An integer beyond 2^53 in one row would otherwise fail the whole read, with the rows
     * of every other caller in it; it loses digits instead, as on PostgreSQL.
     */
    read(sql: string, params?: SqlParams): Row[] {
      try {
        return run(sql, params);
      } catch (error) {
        if (!BEYOND_NUMBERS.test(messageOf(error))) throw error;
        const { statement } = prepare(sql);
        statement.setReadBigInts(true);
        try {
          return run(sql, params).map(toNumbers);
        } finally {
          statement.setReadBigInts(false);
        }
      }
    },
  };
}

/** Copies the values only when one has to be replaced. */
function storable(values: readonly SqlValue[]): readonly SqlValue[] {
  for (const value of values)
    if (typeof value === "string" && value.includes("\0"))
      return values.map((each) => (typeof each === "string" ? withoutNul(each) : each));
  return values;
}

function toNumbers(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === "bigint" ? Number(value) : value]),
  );
}
