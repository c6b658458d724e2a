import { at, entriesAt, recordOf, locatorOf, textOf } from "../../source/parameters.ts";
import type { Tools } from "../tools.ts";
import type { Parameter } from "./app-map.ts";

export function sheetName({ parameters, text }: Tools): unknown {
  const given = recordOf(parameters["sheetName"]);
  const cached = textOf(given["cachedResultName"]);
  if (cached !== "") return cached;
  return parameters["sheetName"] === undefined
    ? text(parameters["range"], "range").split("!")[0]
    : text(locatorOf(parameters["sheetName"]), "sheetName");
}

const MAX_ENTRIES = 1000;

export function limit(tools: Tools): unknown {
  const { parameters, value } = tools;
  return parameters["returnAll"] === true ? allEntries(tools) : value(parameters["limit"], "limit");
}

export function allEntries({ check }: Tools): number {
  check("Reads at most 1,000 entries.");
  return MAX_ENTRIES;
}

/** The rows of a sheet. Filters of n8n are steps here. */
export function allRows(tools: Tools): number {
  if (entriesAt(tools.parameters, "filtersUI", "values").length > 0)
    tools.check("It reads all rows: add a step that filters them.");
  return allEntries(tools);
}

/** Whether cells are read as if they were typed. */
export function cellFormat({ parameters, node }: Tools): unknown {
  const given = textOf(at(parameters, "options", "cellFormat"));
  return given !== "" ? given : node.version < 4.1 ? "RAW" : "USER_ENTERED";
}

export function mailBody(names: readonly string[]): Record<string, Parameter> {
  const isText = ({ parameters }: Tools): boolean =>
    parameters["emailType"] === "text" || at(parameters, "additionalFields", "bodyContentType") === "Text";
  const body = (tools: Tools): string => tools.text(tools.parameters[names[0] ?? "message"], "message");
  return {
    text: (tools) => (isText(tools) ? body(tools) : undefined),
    html: (tools) => (isText(tools) ? undefined : body(tools)),
  };
}

/** Columns of a table: mapped in the node, or the fields that arrive. */
export function columnFields(tools: Tools): unknown {
  const values = Object.entries(recordOf(at(tools.parameters, "columns", "value"))).filter(
    ([name]) => name !== "id",
  );
  return values.length > 0 ? tools.value(Object.fromEntries(values), "columns.value") : tools.current();
}

export function columnValues(tools: Tools): unknown {
  const mapped = Object.values(recordOf(at(tools.parameters, "columns", "value")));
  const older = at(tools.parameters, "fieldsUi", "values") ?? at(tools.parameters, "fieldsUi", "fieldValues");
  const values =
    mapped.length > 0 ? mapped : Array.isArray(older) ? older.map((one) => at(one, "fieldValue")) : [];
  tools.check("Check that the values are in the order of the columns: n8n found the columns by name.");
  return values.length > 0
    ? tools.value(values, "columns.value")
    : `{{= Object.values(${tools.currentScript()} ?? {}) }}`;
}

export function matchingColumns({ parameters }: Tools): unknown {
  const names = at(parameters, "columns", "matchingColumns");
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
}

export function titleOf(tools: Tools): unknown {
  tools.check("Only the title is imported: add the properties.");
  return tools.text(tools.parameters["title"], "title") || "Untitled";
}

export function blockText(tools: Tools): unknown {
  const blocks = at(tools.parameters, "blockUi", "blockValues");
  const texts = Array.isArray(blocks)
    ? blocks.map((one, index) => tools.text(at(one, "textContent"), `blockUi.${index}`))
    : [];
  return texts.join("\n");
}

export function hubspotProperties(tools: Tools): unknown {
  tools.check("Check the names of the properties.");
  const fields = Object.entries(recordOf(tools.parameters["additionalFields"])).filter(
    ([, one]) => typeof one !== "object",
  );
  const name = tools.parameters["name"];
  return tools.value(
    Object.fromEntries(name === undefined ? fields : [["name", name], ...fields]),
    "additionalFields",
  );
}

export function supabaseRow(tools: Tools): unknown {
  const fields = at(tools.parameters, "fieldsUi", "fieldValues");
  if (!Array.isArray(fields) || fields.length === 0) return tools.current();
  return Object.fromEntries(
    fields.map((one, index) => [
      textOf(at(one, "fieldId")),
      tools.value(at(one, "fieldValue"), `fieldsUi.${index}`),
    ]),
  );
}
