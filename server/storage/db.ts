/**
 * What the stores see of a database. One portable SQL text serves SQLite and PostgreSQL: `$name` parameters,
 * `on conflict`, `returning`, CTEs, bigint milliseconds, JSON as text, 0/1 for yes and no; many rows go in as
 * `from json_each(cast($rows as text))`. A parameter whose type does not follow from where it stands is cast:
 * `cast($due as bigint)`. The drivers translate only the spelling of a placeholder and the comments `skip-locked` (after a
 * limit) and `for-update` (after a where), which are locks where there are many writers.
 */
export type SqlValue = string | number | null | Uint8Array;
/** By name. A list serves statements whose `$1, $2 …` are generated: rows of values, members of an `in (…)`. */
export type SqlParams = Readonly<Record<string, SqlValue>> | readonly SqlValue[];
export type Row = Record<string, unknown>;

export interface Statement {
  sql: string;
  params?: SqlParams;
}

export interface BatchOptions {
  /**
   * Sent twice it does and answers the same as sent once, so after a lost connection it is simply sent again. On a
   * database server that saves a round trip: for what is written with every step.
   */
  repeatable?: boolean;
  /** Shares no transaction: for what takes hold of rows that others in it might wait for. */
  alone?: boolean;
}

/** The database as whoever has it to himself sees it. */
export type ExclusiveDb = Pick<Db, "query" | "batch">;

export interface Db {
  /** Reads. What it shows may be committed a moment before it is on disk; answers to writes never are. */
  query<T extends Row = Row>(sql: string, params?: SqlParams): Promise<T[]>;
  /**
   * Writes: all statements or none, in order, durable (on disk, not merely in a cache) when it resolves.
   * Returns the rows of each statement's `returning`. Batches of one tick share a transaction and an fsync. It happens
   * once, also when the connection is lost before its answer.
   */
  batch(statements: readonly Statement[], options?: BatchOptions): Promise<Row[][]>;
  /**
   * Hears `notify` of every process on the same database. A hint, never the truth: the rows are. An empty payload says
   * that something may have been missed: the connection was lost, or the payload was longer than 7,999 bytes.
   */
  listen(channel: string, handler: (payload: string) => void): Promise<() => Promise<void>>;
  /** Costs the caller nothing; the same words within a fifth of a second are said once. */
  notify(channel: string, payload: string): void;
  /** For the one feature whose SQL is not portable: full-text search. */
  readonly dialect: "sqlite" | "postgres";
  /** How many batches may be under way at once; one, where a second would only wait for the first. */
  readonly writers: number;
  /** Runs `work` while no other process on the same database runs its own: for migrations. All of it goes over `alone`. */
  exclusively<T>(work: (alone: ExclusiveDb) => Promise<T>): Promise<T>;
  /** Gives freed space back to the file system in a small step; true while there is more. Absent where the server does it. */
  compact?(): Promise<boolean>;
  close(): Promise<void>;
}
