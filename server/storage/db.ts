/**
 * What the stores see of a database. One portable SQL text serves SQLite and PostgreSQL: `$1` placeholders,
 * `on conflict`, `returning`, CTEs, bigint milliseconds, JSON as text, 0/1 for yes and no; many rows go in as
 * `from json_each(cast($1 as text))`. The drivers translate nothing but the spelling of a placeholder.
 */
export type SqlValue = string | number | null | Uint8Array;
export type Row = Record<string, unknown>;

export interface Statement {
  sql: string;
  params?: readonly SqlValue[];
}

export interface Db {
  /** Reads. What it shows may be committed a moment before it is on disk; answers to writes never are. */
  query<T extends Row = Row>(sql: string, params?: readonly SqlValue[]): Promise<T[]>;
  /**
   * Writes: all statements or none, in order, durable (on disk, not merely in a cache) when it resolves.
   * Returns the rows of each statement's `returning`. Batches of one tick share a transaction and an fsync.
   */
  batch(statements: readonly Statement[]): Promise<Row[][]>;
  /** Hears `notify` of every process on the same database. A hint, never the truth: the rows are. */
  listen(channel: string, handler: (payload: string) => void): Promise<() => Promise<void>>;
  notify(channel: string, payload: string): void;
  /** Gives freed space back to the file system in a small step; true while there is more. Absent where the server does it. */
  compact?(): Promise<boolean>;
  close(): Promise<void>;
}
