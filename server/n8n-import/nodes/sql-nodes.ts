import { escapeText, MAX_TEXT, splitList, splitText } from "../expressions/split-text.ts";
import {
  at,
  entriesAt,
  listOf,
  locatorOf,
  numberOf,
  recordOf,
  textOf,
  lookUp,
} from "../source/parameters.ts";
import { optionsLeft } from "./options-left.ts";
import type { Converted, NodeContext, NodeKind } from "./node-context.ts";

const quote = (name: string, isMySql: boolean): string =>
  isMySql ? `\`${name.replaceAll("`", "``")}\`` : `"${name.replaceAll('"', '""')}"`;

const HARMLESS_OPTIONS = [
  "queryReplacement",
  "queryBatching",
  "connectionTimeout",
  "delayClosingIdleConnection",
  "connectionLimit",
];

function sql(context: NodeContext): Converted {
  const { parameters } = context;
  const operation = textOf(parameters["operation"]) || "insert";
  const givesRows = operation === "executeQuery" || operation === "select";
  const step = { type: "sql", connection: context.requiredConnection("database") };
  const fields = operation === "executeQuery" ? queryOf(context) : statementOf(context, operation);
  optionsLeft(context, HARMLESS_OPTIONS);
  return {
    step: fields === undefined ? undefined : { ...step, ...fields },
    output: { path: givesRows ? ["rows"] : [], isExact: givesRows },
  };
}

/** A statement on a table, with its values as parameters; undefined for an operation without a counterpart. */
function statementOf(context: NodeContext, operation: string): Record<string, unknown> | undefined {
  const { parameters, node } = context;
  const isMySql = node.kind === "mySql";
  const table = textOf(locatorOf(parameters["table"]));
  if (table === "" || table.startsWith("=")) return undefined;
  const schema = textOf(locatorOf(parameters["schema"]));
  const name = quote(table, isMySql);
  const target = schema === "" || schema === "public" ? name : `${quote(schema, isMySql)}.${name}`;
  const values: Record<string, unknown> = {};
  const bind = (value: unknown, field: string): string => {
    const name = `v${Object.keys(values).length + 1}`;
    values[name] = context.value(value ?? null, field);
    return `:${name}`;
  };
  const query = queryText(context, { operation, target, bind, isMySql });
  return query === undefined ? undefined : { query, ...withValues(values) };
}

interface Statement {
  operation: string;
  /** The quoted table. */
  target: string;
  /** Adds a value, and returns its place in the statement. */
  bind: (value: unknown, field: string) => string;
  isMySql: boolean;
}

function queryText(context: NodeContext, statement: Statement): string | undefined {
  const { parameters } = context;
  const { operation, target } = statement;
  if (operation === "select") {
    const limit = parameters["returnAll"] === true ? undefined : (numberOf(parameters["limit"]) ?? 50);
    return `select * from ${target}${whereText(context, statement)}${orderText(context, statement)}${limit === undefined ? "" : ` limit ${limit}`}`;
  }
  if (operation === "insert" || operation === "upsert") return insertText(context, statement);
  if (operation === "update") return updateText(context, statement);
  if (operation !== "deleteTable") return undefined;
  const filter = whereText(context, statement);
  return filter === "" ? undefined : `delete from ${target}${filter}`;
}

const SIGNS: Readonly<Record<string, string>> = {
  equal: "=",
  "=": "=",
  "!=": "!=",
  ">": ">",
  "<": "<",
  ">=": ">=",
  "<=": "<=",
  LIKE: "LIKE",
};

function whereText({ parameters }: NodeContext, { bind, isMySql }: Statement): string {
  const parts = entriesAt(parameters, "where", "values").map(({ column, value, condition }, index) => {
    const isNull = /^IS (?:NOT )?NULL$/i.exec(textOf(condition))?.[0].toLowerCase();
    if (isNull !== undefined) return `${quote(textOf(column), isMySql)} ${isNull}`;
    const sign = lookUp(SIGNS, textOf(condition)) ?? "=";
    return `${quote(textOf(column), isMySql)} ${sign} ${bind(value, `where.${index}`)}`;
  });
  const word = parameters["combineConditions"] === "OR" ? " or " : " and ";
  return parts.length === 0 ? "" : ` where ${parts.join(word)}`;
}

function orderText({ parameters }: NodeContext, { isMySql }: Statement): string {
  const parts = entriesAt(parameters, "sort", "values").map(
    ({ column, direction }) => `${quote(textOf(column), isMySql)}${direction === "DESC" ? " desc" : ""}`,
  );
  return parts.length === 0 ? "" : ` order by ${parts.join(", ")}`;
}

function insertText(
  context: NodeContext,
  { operation, target, bind, isMySql }: Statement,
): string | undefined {
  const mapped = Object.entries(recordOf(at(context.parameters, "columns", "value")));
  const rows = mapped.length > 0 ? mapped : namedColumns(context);
  if (rows.length === 0) return undefined;
  const names = rows.map(([name]) => quote(name, isMySql)).join(", ");
  const marks = rows.map(([name, value]) => bind(value, `columns.${name}`)).join(", ");
  if (operation === "upsert") context.check("Add what happens when the row exists.");
  context.check("Check the statement.");
  return `insert into ${target} (${names}) values (${marks})`;
}

function updateText(context: NodeContext, { target, bind, isMySql }: Statement): string | undefined {
  const given = recordOf(at(context.parameters, "columns", "value"));
  const keys = new Set(listOf(at(context.parameters, "columns", "matchingColumns")).map(String));
  const changed = Object.keys(given).filter((name) => !keys.has(name));
  if (keys.size === 0 || changed.length === 0) return undefined;
  const assign = (name: string): string =>
    `${quote(name, isMySql)} = ${bind(given[name], `columns.${name}`)}`;
  const sets = changed.map(assign).join(", ");
  const match = [...keys].map(assign).join(" and ");
  context.check("Check the statement.");
  return `update ${target} set ${sets} where ${match}`;
}

const withValues = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.keys(values).length === 0 ? {} : { parameters: values };

/** Version 1: `columns` names the fields of the item. */
function namedColumns(context: NodeContext): [string, unknown][] {
  return textOf(context.parameters["columns"])
    .split(",")
    .map((name) => name.trim())
    .filter((name) => /^[\w ]+$/.test(name))
    .map((name) => [name, `={{ $json[${JSON.stringify(name)}] }}`]);
}

/** Expressions in the text of a query become parameters: values never become SQL. */
function queryOf(context: NodeContext): Record<string, unknown> {
  const { parameters } = context;
  const given = textOf(parameters["query"]);
  const replaced = textOf(at(parameters, "options", "queryReplacement"));
  if (given.length > MAX_TEXT || replaced.length > MAX_TEXT) {
    context.check("The query is too long to rewrite.");
    return { query: escapeText(given.replace(/^=/, "")) };
  }
  const listed =
    replaced === "" ? [] : splitList(replaced.replace(/^=/, "")).map((part) => `=${part.trim()}`);
  if (!given.startsWith("=") || !given.includes("{{"))
    return {
      query: given.replace(/^=/, "") || "select 1",
      ...(listed.length > 0 && {
        parameters: listed.map((part, index) => context.value(part, `queryReplacement.${index}`)),
      }),
    };
  const values: Record<string, unknown> = {};
  const pieces: string[] = [];
  let count = 0;
  for (const part of splitText(given.slice(1), context.scope)) {
    if (typeof part === "string") {
      pieces.push(part);
      continue;
    }
    count += 1;
    values[`v${count}`] = context.value(`={{ ${part.source} }}`, "query");
    // Quotes around an expression are not part of a parameter.
    const before = pieces.pop()?.replace(/'$/, "") ?? "";
    pieces.push(before, `:v${count}`);
  }
  const query = pieces.join("").replaceAll(/(:v\d+)'/g, "$1");
  context.check("Expressions in the query became parameters. Check the statement.");
  if (listed.length > 0) context.check("The query has numbered parameters, too: name them.");
  return { query, parameters: values };
}

const ROWS: NodeKind["flow"] = ({ parameters }) => ({
  takes: "item",
  gives: ["executeQuery", "select"].includes(textOf(parameters["operation"])) ? "list" : "one",
});

export const sqlNodes: Readonly<Record<string, NodeKind>> = {
  postgres: { flow: ROWS, convert: sql },
  mySql: { flow: ROWS, convert: sql },
};
