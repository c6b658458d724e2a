import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { createDeadline } from "../../lib/deadline.ts";
import type { Egress } from "../../security/egress.ts";
import type { TlsTrust } from "./tls-options.ts";

export type Row = Record<string, JsonValue>;

export interface SqlStatement {
  query: string;
  /** In order, or by name for `:name` in the query. */
  parameters: readonly JsonValue[] | Readonly<Record<string, JsonValue>>;
}

export interface SqlJob {
  statements: readonly SqlStatement[];
  /** All statements take effect, or none of them. */
  transaction: boolean;
  /** Rows per statement that the sink takes; a driver may ask the server for one more than that. */
  maxRows: number;
  /** Limits everything that the server sends. */
  maxReceivedBytes: number;
  /** Limits the rows that are in memory until the sink takes them. */
  maxHeldBytes: number;
  /** Limits the size of a list or of JSON in one cell, counted as values of runs are. */
  maxCellSize: number;
  timeoutMs: number;
}

/** Takes rows in batches, in order. False: it needs no more rows of this statement. Waiting slows the server down. */
export type RowSink = (statement: number, rows: Row[]) => Promise<boolean>;

export interface StatementSummary {
  /** Rows that the statement changed, or returned. */
  rowCount: number;
  /** MySQL, MariaDB and SQLite: the generated key of an inserted row. */
  insertId?: number | string;
}

/**
 * Runs a job over one connection that it opens and closes. An aborted signal cancels the statement on the server. Throws
 * `connection_failed`, `egress_denied` or `query_failed`.
 */
export type SqlDriver = (job: SqlJob, sink: RowSink, signal: AbortSignal) => Promise<StatementSummary[]>;

/** Ends with the signal even while the driver waits for a server that never answers, so that the step's slot is free. */
export function endOnAbort(driver: SqlDriver): SqlDriver {
  return async (job, sink, signal) => {
    const deadline = createDeadline(undefined, { outer: signal });
    try {
      return await deadline.race(driver(job, sink, signal));
    } finally {
      deadline.clear();
    }
  };
}

/** What a driver of a database server needs; SQLite runs in its own process. */
export interface NetworkDriverDeps {
  egress: Pick<Egress, "resolve">;
  /** In tests: the certificate of their server. */
  trust?: TlsTrust | undefined;
}

/** The most rows per read, and the bytes after which a read takes fewer. */
export const BATCH_ROWS = 100;
export const READ_BYTES = 8 * 1024 * 1024;

/** A server that does not answer the end of a connection within this time is not waited for. */
export const END_MS = 1000;
