/**
 * What the stores see of a database. One portable SQL text serves SQLite and PostgreSQL: `$name` parameters,
 * `on conflict`, `returning`, CTEs, bigint milliseconds, JSON as text, booleans as 0/1; many rows are passed as
 * `from json_each(cast($rows as text))`. A parameter whose type cannot be inferred is cast:
 * `cast($due as bigint)`. The drivers translate only the spelling of a placeholder and the comments `skip-locked` (after a
 * limit) and `for-update` (after a where), which become row locks on PostgreSQL.
 */
export type SqlValue = string | number | null | Uint8Array;
/** By name. A list serves statements whose `$1, $2 …` are generated: rows of values, members of an `in (…)`. */
export type SqlParams = Readonly<Record<string, SqlValue>> | readonly SqlValue[];
export type Row = Record<string, unknown>;

export interface Statement {
  sql: string;
  params?: SqlParams;
  /**
   * For a write without `returning`: its only row is `{ changes }`, the number of rows it has inserted, updated or
   * deleted. In SQLite a `returning` costs 6 to 9 µs a row, a third of the write itself; a count costs 1 µs a statement.
   */
  counted?: boolean;
  copy?: Copy;
}

/**
 * Where `copiesRows` is true, and in `repeatable` batches only: the statement is `copy <table> (<columns>) from stdin
 * (format binary)`. The server spends half the time of an `insert` on a row, but cannot skip one that exists already.
 * When there is one, nothing of the batch is stored, and it is sent again with the statements of `otherwise`.
 */
export interface Copy {
  /** The types of the columns. */
  columns: readonly ColumnType[];
  /** Row after row. */
  values: readonly SqlValue[];
  otherwise(): readonly Statement[];
}

export type ColumnType = "text" | "bigint";

export interface BatchOptions {
  /**
   * The batch is idempotent, so after a lost connection it is sent again. On a database server this saves the round
   * trip that a receipt costs; used for writes that happen with every step.
   */
  repeatable?: boolean;
  /** Never shares a transaction: for statements that lock rows which other batches might wait for. */
  alone?: boolean;
  /**
   * Sent over a connection that carries nothing else, so that a busy pool never delays it, and given up after seconds,
   * so that the caller sends a current one: for heartbeats. Must be idempotent.
   */
  dedicated?: boolean;
  /** As that of a query. */
  genericPlan?: boolean;
}

export interface QueryOptions {
  /**
   * PostgreSQL plans the statement once for a connection, whatever its values, with index scans only: for frequent
   * statements that take longer to plan than to execute. Every `limit` of rows to join must be a literal: for a parameter
   * PostgreSQL assumes a tenth of the table. Such a statement never shares a transaction with others.
   */
  genericPlan?: boolean;
}

/** The database inside `exclusively`. */
export type ExclusiveDb = Pick<Db, "query" | "batch">;

export interface Db {
  /** Reads. A row may be visible a moment before it is on disk; the result of a write never is. */
  query<T extends Row = Row>(sql: string, params?: SqlParams, options?: QueryOptions): Promise<T[]>;
  /**
   * Writes: all statements or none, in order, durable (on disk, not merely in a cache) when it resolves.
   * Returns the rows of each statement's `returning`, or its count. Batches of one tick share a transaction and an fsync. A batch is
   * applied exactly once, even if the connection is lost before the reply arrives.
   */
  batch(statements: readonly Statement[], options?: BatchOptions): Promise<Row[][]>;
  /**
   * Receives `notify` from every process on the same database. Notifications are hints; the rows are the truth. An empty
   * payload means that messages may have been missed: the connection was lost, or a payload exceeded 7,999 bytes.
   */
  listen(channel: string, handler: (payload: string) => void): Promise<() => Promise<void>>;
  /** Does not wait. The same payload within 200 ms is sent once. */
  notify(channel: string, payload: string): void;
  /** For full-text search, whose SQL is not portable, and for statements that are cheaper on one of the two. */
  readonly dialect: "sqlite" | "postgres";
  /** How many batches may be in flight at once; one where a second would only wait for the first. */
  readonly writers: number;
  /** Whether new rows may be copied. False on SQLite, and behind a pooler: some versions of PgBouncer lose count after a copy. */
  readonly copiesRows: boolean;
  /** Runs `work` while no other process on the same database runs its own; for migrations. Use only the db passed to `work`. */
  exclusively<T>(work: (alone: ExclusiveDb) => Promise<T>): Promise<T>;
  /** Returns freed space to the file system, one small step per call; true while more is left. Absent on PostgreSQL, which does this itself. */
  compact?(): Promise<boolean>;
  close(): Promise<void>;
}
