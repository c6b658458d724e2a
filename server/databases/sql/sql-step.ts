import { isRecord, type JsonValue } from "../../../contract/placeholders/json-value.ts";
import { asNumber } from "../../../contract/compare.ts";
import {
  DEFAULT_SQL_ROWS,
  MAX_SQL_LENGTH,
  MAX_SQL_ROWS,
  MAX_SQL_TIMEOUT_MS,
} from "../../../contract/steps/sql.ts";
import type { StepCall, StepRunner } from "../../engine/run/step-runner.ts";
import { createDeadline } from "../../lib/deadline.ts";
import { AppError } from "../../lib/errors.ts";
import type { FairQueue } from "../../lib/fair-queue.ts";
import type { Limits } from "../../limits/limits.ts";
import type { RunFiles } from "../../run-files/run-files.ts";
import { toFileFailure } from "../../steps/file-failure.ts";
import { describeValue, invalidField, requiredText } from "../../steps/step-failure.ts";
import { createRowCollector, createRowStream } from "./row-collector.ts";
import type { SqlDriver, SqlJob, SqlStatement, StatementSummary } from "./sql-driver.ts";

export const DEFAULT_TIMEOUT_MS = 60_000;
/** Rows on the wire, with the names and types of their columns, compared with their JSON. */
const WIRE_FACTOR = 4;
const WIRE_BYTES = 1024 * 1024;
const MAX_HELD_BYTES = 64 * 1024 * 1024;

export interface SqlRunnerDeps {
  /** Passes the driver of the step's connection to `work`. */
  withDriver<T>(call: StepCall, work: (driver: SqlDriver) => Promise<T>): Promise<T>;
  runFiles: Pick<RunFiles, "create">;
  limits: Pick<Limits, "max">;
  /** Serves owners in turn. */
  queue: Pick<FairQueue, "run">;
}

/** Runs SQL with parameters through a connection. */
export function createSqlRunner(deps: SqlRunnerDeps): StepRunner {
  return {
    async run(call) {
      const { fields, ownerId, signal } = call;
      const asFile = fields["as"] === "file";
      const job = jobOf(call, asFile, deps.limits);
      const { timeoutMs } = job;
      const output = await deps.queue.run(
        ownerId,
        async () => {
          const deadline = createDeadline(timeoutMs, { outer: signal, reason: () => timedOut(timeoutMs) });
          try {
            const read = asFile ? toFile : toRows;
            return await deps.withDriver(call, (driver) => {
              call.assertLease();
              return read(call, deps, job, driver, deadline.signal);
            });
          } finally {
            deadline.clear();
          }
        },
        { signal },
      );
      return { output };
    },
  };
}

function jobOf({ fields, timeoutMs }: StepCall, asFile: boolean, limits: Pick<Limits, "max">): SqlJob {
  const transaction = fields["operation"] === "transaction";
  const max = limits.max(asFile ? "file_bytes" : "value_bytes");
  return {
    transaction,
    statements: transaction ? statementsOf(fields["statements"]) : [statementOf(fields, "parameters")],
    maxRows: maxRowsOf(fields["maxRows"], asFile ? MAX_SQL_ROWS : DEFAULT_SQL_ROWS),
    maxReceivedBytes: max === 0 ? Number.MAX_SAFE_INTEGER : max * WIRE_FACTOR + WIRE_BYTES,
    maxHeldBytes: MAX_HELD_BYTES,
    maxCellSize: limits.max("value_bytes") || MAX_HELD_BYTES,
    timeoutMs: Math.min(timeoutMs ?? DEFAULT_TIMEOUT_MS, MAX_SQL_TIMEOUT_MS),
  };
}

async function toRows(
  call: StepCall,
  { limits }: SqlRunnerDeps,
  job: SqlJob,
  driver: SqlDriver,
  signal: AbortSignal,
): Promise<JsonValue> {
  const { maxRows } = job;
  const collector = createRowCollector(call, { maxRows, maxBytes: limits.max("value_bytes") });
  const summaries = await driver(job, collector.sink, signal);
  const results = summaries.map((summary, index): Record<string, JsonValue> => {
    const { rows, truncated } = collector.of(index);
    return { rows, ...resultFields(summary, rows.length), truncated };
  });
  return job.transaction ? { results } : results[0]!;
}

/** For rows, the number of those that are returned; for a change, the number of changed rows. */
function resultFields({ rowCount, insertId }: StatementSummary, rows: number): Record<string, JsonValue> {
  return { rowCount: rows > 0 ? rows : rowCount, ...(insertId !== undefined && { insertId }) };
}

async function toFile(
  { ownerId, taskId, path }: StepCall,
  { runFiles }: SqlRunnerDeps,
  job: SqlJob,
  driver: SqlDriver,
  signal: AbortSignal,
): Promise<JsonValue> {
  const { sink, stream, summary } = createRowStream(job.maxRows);
  const description = { name: `${path.split("/").at(-1)}.jsonl`, contentType: "application/x-ndjson" };
  const stored = runFiles.create({ ownerId, taskId }, description, stream);
  const read = driver(job, sink, signal).then(
    () => stream.end(),
    (error: Error) => stream.destroy(error),
  );
  try {
    const file = await stored;
    return { file, ...summary() };
  } catch (error) {
    throw toFileFailure(error);
  } finally {
    await read;
  }
}

function statementsOf(given: JsonValue | undefined): SqlStatement[] {
  if (!Array.isArray(given)) throw invalidField("statements", "must be a list of {query, parameters}");
  return given.map((statement) => {
    if (!isRecord(statement)) throw invalidField("statements", "must be a list of {query, parameters}");
    return statementOf(statement as Record<string, JsonValue>, "statements");
  });
}

function statementOf(fields: Readonly<Record<string, JsonValue>>, field: string): SqlStatement {
  const parameters = fields["parameters"] ?? [];
  if (!Array.isArray(parameters) && !isRecord(parameters))
    throw invalidField(
      field,
      `must have an object or a list of parameters, not ${describeValue(parameters)}`,
    );
  const query = requiredText(fields, "query");
  if (query.length > MAX_SQL_LENGTH)
    throw invalidField(
      "query",
      `must have at most ${MAX_SQL_LENGTH} characters; move values into parameters`,
    );
  return { query, parameters: parameters as SqlStatement["parameters"] };
}

function maxRowsOf(given: JsonValue | undefined, byDefault: number): number {
  if (given === undefined || given === null) return byDefault;
  const rows = asNumber(given);
  if (rows === undefined || !Number.isInteger(rows) || rows < 1 || rows > MAX_SQL_ROWS)
    throw invalidField("maxRows", `must be a whole number from 1 to ${MAX_SQL_ROWS}`);
  return rows;
}

function timedOut(ms: number): AppError {
  return new AppError("query_failed", `The query took longer than ${ms} ms and was cancelled.`, {
    retryable: true,
  });
}
