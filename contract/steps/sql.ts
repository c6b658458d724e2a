import * as z from "zod";
import { isRecord } from "../placeholders/json-value.ts";
import { inWords } from "./common.ts";
import { anyValue, choice, connection, fixedChoice, number, text } from "./fields.ts";
import { defineStepType, type FieldProblem } from "./step-type.ts";

export const MAX_SQL_ROWS = 10_000_000;
export const DEFAULT_SQL_ROWS = 1000;
export const MAX_SQL_STATEMENTS = 100;
/** Characters of one statement. */
export const MAX_SQL_LENGTH = 100_000;
/** A statement that runs for longer holds a connection and often a lock. */
export const MAX_SQL_TIMEOUT_MS = 3_600_000;

const isTransaction = ({ operation }: Readonly<Record<string, unknown>>): boolean =>
  operation === "transaction";

const statements = z
  .array(z.unknown(), { error: "must be a list of {query, parameters}" })
  .min(1, "must have at least one statement")
  .max(MAX_SQL_STATEMENTS, `must have at most ${MAX_SQL_STATEMENTS} statements`)
  .describe(
    "transaction: the statements as {query, parameters}, in order. All of them take effect, or none.",
  );

export const sqlStep = defineStepType({
  type: "sql",
  title: "SQL query",
  description:
    "Runs a query on PostgreSQL, MySQL, MariaDB or a SQLite file in your folder, through a connection. Returns {rows, rowCount, truncated}, for a transaction {results}. Values go into parameters, never into the text of the query: :name with an object, or $1 (PostgreSQL) and ? (MySQL, SQLite) with a list. With as: file the rows are streamed into a JSON Lines file {file, rowCount, truncated}, and foreach takes steps.<id>.output.file. After a crash the step runs again: write statements that may be repeated (insert … on conflict do nothing).",
  category: "data",
  synonyms: [
    "database",
    "postgres",
    "postgresql",
    "mysql",
    "mariadb",
    "sqlite",
    "select",
    "insert",
    "update",
    "table",
    "supabase",
    "rows",
  ],
  fields: {
    connection: connection("A connection of kind database with a postgres://, mysql:// or sqlite: URL."),
    operation: fixedChoice('"query" for one statement, "transaction" for several; "query" by default.', [
      "query",
      "transaction",
    ]).optional(),
    query: text(
      "One SQL statement. It cannot contain placeholders: write :name and give the value in parameters.",
    ).optional(),
    parameters: anyValue(
      'The values of the query: an object for :name, as {"id": "{{input.id}}"}, or a list for $1 or ?.',
    ).optional(),
    statements: statements.optional(),
    maxRows: number(
      `Rows that are read at most; ${DEFAULT_SQL_ROWS} by default, with as: file all. truncated tells whether there were more.`,
      { min: 1, max: MAX_SQL_ROWS, whole: true },
    ).optional(),
    as: choice(
      'With "file" the rows are streamed into a JSON Lines file for later steps; "rows" by default.',
      ["rows", "file"],
    ).optional(),
  },
  literalFields: ["connection", "query"],
  check: (step) => [...missing(step), ...placeholders(step), ...tooLong(step)],
  shortTitle: "SQL",
  summary: (step) =>
    isTransaction(step)
      ? `Transaction of ${Array.isArray(step["statements"]) ? step["statements"].length : 0} statements`
      : inWords(step["query"]).replace(/\s+/g, " "),
  initial: { operation: "query" },
  form: {
    connection: { label: "Connection", example: "conn_…" },
    operation: { label: "Run", words: { query: "One statement", transaction: "A transaction" } },
    query: {
      label: "Query",
      control: "code",
      common: true,
      example: "select id, name from customer where city = :city",
      applies: (step) => !isTransaction(step),
    },
    parameters: {
      label: "Parameters",
      common: true,
      example: '{ "city": "{{input.city}}" }',
      applies: (step) => !isTransaction(step),
    },
    statements: {
      label: "Statements",
      common: true,
      control: "long",
      example: '[{ "query": "update …", "parameters": {} }]',
      applies: isTransaction,
    },
    maxRows: { label: "At most", example: String(DEFAULT_SQL_ROWS) },
    as: {
      label: "Result",
      words: { rows: "Rows", file: "A file" },
      applies: (step) => !isTransaction(step),
    },
  },
  example: {
    stepId: "find-customers",
    type: "sql",
    connection: "conn_01j9x3",
    query: "select id, name, email from customer where city = :city",
    parameters: { city: "{{input.city}}" },
  },
});

function missing(step: Record<string, unknown>): FieldProblem[] {
  const field = isTransaction(step) ? "statements" : "query";
  if (step[field] !== undefined) return [];
  const message = isTransaction(step)
    ? "is required: it is the list of {query, parameters}"
    : "is required: it is the SQL statement";
  return [{ code: "missing_field", field, message }];
}

/** SQL text is fixed when a workflow is saved: a value from outside can never become part of it. */
function placeholders(step: Record<string, unknown>): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const refuse = (field: string, message: string): void => {
    problems.push({ code: "invalid_field", field, message });
  };
  if (hasPlaceholder(step["query"])) refuse("query", NO_PLACEHOLDERS);
  const { parameters } = step;
  if (
    parameters !== undefined &&
    !isRecord(parameters) &&
    !Array.isArray(parameters) &&
    !hasPlaceholder(parameters)
  )
    refuse(
      "parameters",
      'must be an object for :name or a list for $1 and ?, such as {"id": "{{input.id}}"}',
    );
  if (!isTransaction(step) || !Array.isArray(step["statements"])) return problems;
  for (const [index, statement] of step["statements"].entries()) {
    const at = `statements[${index}]`;
    if (!isRecord(statement) || typeof statement["query"] !== "string" || statement["query"] === "")
      refuse("statements", `must be a list of {query, parameters}; ${at} has no query`);
    else if (hasPlaceholder(statement["query"])) refuse("statements", `${NO_PLACEHOLDERS} (${at})`);
  }
  if (step["as"] === "file") refuse("as", 'cannot be "file" for a transaction');
  return problems;
}

const NO_PLACEHOLDERS =
  'must not contain placeholders: write :name in the query and the value in parameters, such as {"name": "{{input.name}}"}';

function hasPlaceholder(value: unknown): boolean {
  return typeof value === "string" && value.includes("{{");
}

function tooLong({ timeoutMs }: Record<string, unknown>): FieldProblem[] {
  if (typeof timeoutMs !== "number" || timeoutMs <= MAX_SQL_TIMEOUT_MS) return [];
  const message = `must be at most ${MAX_SQL_TIMEOUT_MS} (one hour) for a database`;
  return [{ code: "invalid_field", field: "timeoutMs", message }];
}
