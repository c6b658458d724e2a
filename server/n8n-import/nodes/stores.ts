import { splitText } from "../expressions.ts";
import { at, entriesAt, locatorOf, numberOf, recordOf, textOf } from "../source.ts";
import type { Converted, NodeKind, Tools } from "../tools.ts";

const quote = (name: string, isMySql: boolean): string =>
  isMySql ? `\`${name.replaceAll("`", "``")}\`` : `"${name.replaceAll('"', '""')}"`;

function sql(tools: Tools): Converted {
  const { parameters, node } = tools;
  const isMySql = node.kind === "mySql";
  const operation = textOf(parameters["operation"]) || "insert";
  const step = { type: "sql", connection: tools.requiredConnection("database") };
  const output = {
    path: operation === "executeQuery" || operation === "select" ? ["rows"] : [],
    isExact: true,
  };
  if (operation === "executeQuery") return { step: { ...step, ...queryOf(tools) }, output };
  const table = textOf(locatorOf(parameters["table"]));
  if (table === "" || table.startsWith("=")) return { step: undefined };
  const schema = textOf(locatorOf(parameters["schema"]));
  const target =
    schema === "" || schema === "public"
      ? quote(table, isMySql)
      : `${quote(schema, isMySql)}.${quote(table, isMySql)}`;
  const values: Record<string, unknown> = {};
  const bind = (value: unknown, field: string): string => {
    const name = `v${Object.keys(values).length + 1}`;
    values[name] = tools.value(value ?? null, field);
    return `:${name}`;
  };
  const where = entriesAt(parameters, "where", "values").map(({ column, value, condition }, index) => {
    const sign =
      ["=", "!=", ">", "<", ">=", "<=", "LIKE"].find(
        (one) => one === textOf(condition) || (textOf(condition) === "equal" && one === "="),
      ) ?? "=";
    return `${quote(textOf(column), isMySql)} ${sign} ${bind(value, `where.${index}`)}`;
  });
  const filter =
    where.length === 0
      ? ""
      : ` where ${where.join(parameters["combineConditions"] === "OR" ? " or " : " and ")}`;
  const columns = Object.entries(recordOf(at(parameters, "columns", "value")));
  const limit = parameters["returnAll"] === true ? undefined : (numberOf(parameters["limit"]) ?? 50);
  if (operation === "select")
    return {
      step: {
        ...step,
        query: `select * from ${target}${filter}${limit === undefined ? "" : ` limit ${limit}`}`,
        ...withValues(values),
      },
      output,
    };
  if (operation === "deleteTable" && filter !== "")
    return { step: { ...step, query: `delete from ${target}${filter}`, ...withValues(values) }, output };
  const rows = columns.length > 0 ? columns : namedColumns(tools);
  if ((operation === "insert" || operation === "upsert") && rows.length > 0) {
    const names = rows.map(([name]) => quote(name, isMySql)).join(", ");
    const marks = rows.map(([name, value]) => bind(value, `columns.${name}`)).join(", ");
    if (operation === "upsert") tools.check("Add what happens when the row exists.");
    tools.check("Check the statement.");
    return {
      step: { ...step, query: `insert into ${target} (${names}) values (${marks})`, parameters: values },
      output,
    };
  }
  const keys = new Set(
    (Array.isArray(at(parameters, "columns", "matchingColumns"))
      ? (at(parameters, "columns", "matchingColumns") as unknown[])
      : []
    ).map(String),
  );
  const changed = columns.filter(([name]) => !keys.has(name));
  if (operation !== "update" || keys.size === 0 || changed.length === 0) return { step: undefined };
  const sets = changed
    .map(([name, value]) => `${quote(name, isMySql)} = ${bind(value, `columns.${name}`)}`)
    .join(", ");
  const match = [...keys]
    .map(
      (name) =>
        `${quote(name, isMySql)} = ${bind(recordOf(at(parameters, "columns", "value"))[name], `columns.${name}`)}`,
    )
    .join(" and ");
  tools.check("Check the statement.");
  return {
    step: { ...step, query: `update ${target} set ${sets} where ${match}`, parameters: values },
    output,
  };
}

const withValues = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.keys(values).length === 0 ? {} : { parameters: values };

/** Version 1: `columns` names the fields of the item. */
function namedColumns(tools: Tools): [string, unknown][] {
  return textOf(tools.parameters["columns"])
    .split(",")
    .map((name) => name.trim())
    .filter((name) => /^[\w ]+$/.test(name))
    .map((name) => [name, `={{ $json[${JSON.stringify(name)}] }}`]);
}

/** Expressions in the text of a query become parameters: values never become SQL. */
function queryOf(tools: Tools): Record<string, unknown> {
  const { parameters } = tools;
  const given = textOf(parameters["query"]);
  const replaced = textOf(at(parameters, "options", "queryReplacement"));
  const listed =
    replaced === ""
      ? []
      : replaced
          .replace(/^=/, "")
          .split(/,(?![^{]*\}\})/)
          .map((part) => `=${part.trim()}`);
  if (!given.startsWith("=") || !given.includes("{{"))
    return {
      query: given.replace(/^=/, "") || "select 1",
      ...(listed.length > 0 && {
        parameters: listed.map((part, index) => tools.value(part, `queryReplacement.${index}`)),
      }),
    };
  const values: Record<string, unknown> = {};
  let query = "";
  for (const part of splitText(given.slice(1), tools.scope)) {
    if (typeof part === "string") {
      query += part;
      continue;
    }
    const name = `v${Object.keys(values).length + 1}`;
    values[name] = tools.value(`={{ ${part.source} }}`, "query");
    // Quotes around an expression are not part of a parameter.
    query = `${query.replace(/'$/, "")}:${name}`;
  }
  query = query.replaceAll(/(:v\d+)'/g, "$1");
  tools.check("Expressions in the query became parameters. Check the statement.");
  if (listed.length > 0) tools.check("The query has numbered parameters, too: name them.");
  return { query, parameters: values };
}

function redis(tools: Tools): Converted {
  const { parameters } = tools;
  const operation = textOf(parameters["operation"]) || "info";
  const step = { type: "redis", connection: tools.requiredConnection("database") };
  const key = tools.text(parameters["key"] ?? parameters["list"], "key");
  const name = textOf(parameters["propertyName"]) || "propertyName";
  const expires =
    parameters["expire"] === true ? { expiresInMs: timesThousand(tools, parameters["ttl"] ?? 60) } : {};
  if (
    operation !== "get" &&
    operation !== "set" &&
    operation !== "delete" &&
    operation !== "incr" &&
    operation !== "push" &&
    operation !== "pop" &&
    operation !== "publish"
  )
    return { step: undefined };
  if (operation === "get")
    tools.check(`The value is the output itself: n8n put it into the field ${name.slice(0, 60)}.`);
  const fields: Readonly<Record<string, Record<string, unknown>>> = {
    get: { command: "get", key },
    set: { command: "set", key, value: tools.value(parameters["value"] ?? "", "value"), ...expires },
    delete: { command: "delete", key },
    incr: { command: "increment", key },
    push: {
      command: "list_push",
      key,
      value: tools.value(parameters["messageData"] ?? "", "messageData"),
      side: parameters["tail"] === true ? "right" : "left",
    },
    pop: { command: "list_pop", key, side: parameters["tail"] === true ? "right" : "left" },
    publish: {
      command: "publish",
      channel: tools.text(parameters["channel"], "channel"),
      value: tools.value(parameters["messageData"] ?? "", "messageData"),
    },
  };
  return { step: { ...step, ...fields[operation] }, output: { path: [], isExact: false } };
}

function timesThousand(tools: Tools, value: unknown): unknown {
  return typeof value === "number"
    ? Math.max(1, Math.round(value * 1000))
    : `{{= Number(${tools.script(value, "ttl")}) * 1000 }}`;
}

function s3(tools: Tools): Converted {
  const { parameters } = tools;
  const actions: Readonly<Record<string, string>> = {
    upload: "put",
    download: "get",
    delete: "delete",
    getAll: "list",
  };
  const operation = textOf(parameters["operation"]) || "download";
  const action = actions[operation];
  if (action === undefined || (parameters["resource"] ?? "file") !== "file") return { step: undefined };
  const key = tools.text(parameters["fileKey"] ?? parameters["fileName"], "fileKey");
  const bucket = tools.text(parameters["bucketName"], "bucketName");
  if (action === "put") tools.check("Choose the content: n8n took it from the binary data of the item.");
  return {
    step: {
      type: "s3",
      connection: tools.requiredConnection("s3"),
      action,
      ...(bucket !== "" && { bucket }),
      ...(action === "list" ? {} : { key: key || "choose-a-key" }),
      ...(action === "put" && {
        content:
          parameters["binaryData"] === false
            ? tools.value(parameters["fileContent"], "fileContent")
            : tools.current(),
      }),
      ...(action === "get" && { as: "file" }),
    },
    output: { path: [], isExact: false },
  };
}

const EACH: NodeKind["flow"] = () => ({ takes: "item" });
const ROWS: NodeKind["flow"] = ({ parameters }) => ({
  takes: "item",
  gives: ["executeQuery", "select"].includes(textOf(parameters["operation"])) ? "list" : "one",
});

export const storeNodes: Readonly<Record<string, NodeKind>> = {
  postgres: { flow: ROWS, convert: sql },
  mySql: { flow: ROWS, convert: sql },
  redis: { flow: EACH, convert: redis },
  s3: { flow: EACH, convert: s3 },
  awsS3: { flow: EACH, convert: s3 },
};
