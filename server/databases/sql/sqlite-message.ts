import type { SqlJob, StatementSummary } from "./sql-driver.ts";

/** What the process gets on its standard input, as JSON. */
export interface SqliteJob extends Pick<
  SqlJob,
  "statements" | "transaction" | "maxRows" | "maxReceivedBytes" | "maxHeldBytes"
> {
  path: string;
  readOnly: boolean;
  maxFileBytes: number;
}

/** Lines of its standard output: `[statement, row]` for each row, and one of these at the end. */
export type SqliteEnd =
  | { type: "done"; summaries: StatementSummary[] }
  | { type: "too_large"; bytes: number }
  | { type: "refused"; message: string };
