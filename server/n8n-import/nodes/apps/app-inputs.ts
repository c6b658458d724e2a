import { at, entriesAt, recordOf, locatorOf, textOf } from "../../source/parameters.ts";
import type { NodeContext } from "../node-context.ts";
import type { Parameter } from "./app-map.ts";

export function sheetName({ parameters, text }: NodeContext): unknown {
  const given = recordOf(parameters["sheetName"]);
  const cached = textOf(given["cachedResultName"]);
  if (cached !== "") return cached;
  return parameters["sheetName"] === undefined
    ? text(parameters["range"], "range").split("!")[0]
    : text(locatorOf(parameters["sheetName"]), "sheetName");
}

const MAX_ENTRIES = 1000;

export function limit(context: NodeContext): unknown {
  const { parameters, value } = context;
  return parameters["returnAll"] === true ? allEntries(context) : value(parameters["limit"], "limit");
}

export function allEntries({ check }: NodeContext): number {
  check("Reads at most 1,000 entries.");
  return MAX_ENTRIES;
}

/** The rows of a sheet. Filters of n8n are steps here. */
export function allRows(context: NodeContext): number {
  if (entriesAt(context.parameters, "filtersUI", "values").length > 0)
    context.check("It reads all rows: add a step that filters them.");
  return allEntries(context);
}

/** Whether cells are read as if they were typed. */
export function cellFormat({ parameters, node }: NodeContext): unknown {
  const given = textOf(at(parameters, "options", "cellFormat"));
  return given !== "" ? given : node.version < 4.1 ? "RAW" : "USER_ENTERED";
}

export function mailBody(names: readonly string[]): Record<string, Parameter> {
  const isText = ({ parameters }: NodeContext): boolean =>
    parameters["emailType"] === "text" || at(parameters, "additionalFields", "bodyContentType") === "Text";
  const body = (context: NodeContext): string =>
    context.text(context.parameters[names[0] ?? "message"], "message");
  return {
    text: (context) => (isText(context) ? body(context) : undefined),
    html: (context) => (isText(context) ? undefined : body(context)),
  };
}

/** Columns of a table: mapped in the node, or the fields that arrive. */
export function columnFields(context: NodeContext): unknown {
  const values = Object.entries(recordOf(at(context.parameters, "columns", "value"))).filter(
    ([name]) => name !== "id",
  );
  return values.length > 0 ? context.value(Object.fromEntries(values), "columns.value") : context.current();
}

export function columnValues(context: NodeContext): unknown {
  const mapped = Object.values(recordOf(at(context.parameters, "columns", "value")));
  const older =
    at(context.parameters, "fieldsUi", "values") ?? at(context.parameters, "fieldsUi", "fieldValues");
  const values =
    mapped.length > 0 ? mapped : Array.isArray(older) ? older.map((one) => at(one, "fieldValue")) : [];
  context.check("Check that the values are in the order of the columns: n8n found the columns by name.");
  return values.length > 0
    ? context.value(values, "columns.value")
    : `{{= Object.values(${context.currentScript()} ?? {}) }}`;
}

export function matchingColumns({ parameters }: NodeContext): unknown {
  const names = at(parameters, "columns", "matchingColumns");
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
}

export function titleOf(context: NodeContext): unknown {
  context.check("Only the title is imported: add the properties.");
  return context.text(context.parameters["title"], "title") || "Untitled";
}

export function blockText(context: NodeContext): unknown {
  const blocks = at(context.parameters, "blockUi", "blockValues");
  const texts = Array.isArray(blocks)
    ? blocks.map((one, index) => context.text(at(one, "textContent"), `blockUi.${index}`))
    : [];
  return texts.join("\n");
}

export function hubspotProperties(context: NodeContext): unknown {
  context.check("Check the names of the properties.");
  const fields = Object.entries(recordOf(context.parameters["additionalFields"])).filter(
    ([, one]) => typeof one !== "object",
  );
  const name = context.parameters["name"];
  return context.value(
    Object.fromEntries(name === undefined ? fields : [["name", name], ...fields]),
    "additionalFields",
  );
}

export function supabaseRow(context: NodeContext): unknown {
  const fields = at(context.parameters, "fieldsUi", "fieldValues");
  if (!Array.isArray(fields) || fields.length === 0) return context.current();
  return Object.fromEntries(
    fields.map((one, index) => [
      textOf(at(one, "fieldId")),
      context.value(at(one, "fieldValue"), `fieldsUi.${index}`),
    ]),
  );
}
