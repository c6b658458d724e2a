import { at, entriesAt, listOf, lookUp, textOf } from "../source/parameters.ts";
import { unknownNames } from "./code-names.ts";
import { keysOf, shuffleCode, sortCode, splitCode, summarizeCode } from "./list-code.ts";
import { keyText } from "./parameter-values.ts";
import { type Converted, type NodeContext, type NodeKind } from "./node-context.ts";

const names = (value: unknown): string[] =>
  (Array.isArray(value) ? listOf(value).map(textOf).join(",") : textOf(value))
    .replace(/^=/, "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && !name.includes("{{"));

const isNested = (parameters: NodeContext["parameters"]): boolean =>
  at(parameters, "options", "disableDotNotation") !== true;

function sort(context: NodeContext): Converted {
  const { parameters } = context;
  const items = context.itemsScript();
  if (parameters["type"] === "random") return { step: { type: "code", code: shuffleCode(items) } };
  if (parameters["type"] === "code") return sortByCode(context, items);
  const fields = entriesAt(parameters, "sortFieldsUi", "sortField").map(({ fieldName, order }) => ({
    path: keysOf(fieldText(context, fieldName), isNested(parameters)),
    isDescending: order === "descending",
  }));
  return fields.length === 0
    ? { step: undefined }
    : { step: { type: "code", code: sortCode(items, fields) } };
}

/** The name of a field. One that an expression names is known only in a run. */
function fieldText({ check }: NodeContext, value: unknown): string {
  const name = textOf(value).replace(/^=/, "");
  if (name.includes("{{")) check("An expression names a field: write its name.");
  return name;
}

function sortByCode(context: NodeContext, items: string): Converted {
  const compare = textOf(context.parameters["code"]);
  if (compare === "") return { step: undefined };
  const code = [
    `const items = ${items}.map((json) => ({ json }));`,
    "items.sort((a, b) => {",
    compare,
    "});",
    "return items.map(({ json }) => json);",
  ].join("\n");
  const unknown = unknownNames(compare).slice(0, 5).join(", ");
  context.code(
    compare,
    code,
    unknown === "" ? [] : [`Replace what does not exist in code here: ${unknown}.`],
  );
  return { step: { type: "code", code } };
}

function limit(context: NodeContext): Converted {
  const { parameters } = context;
  const count = context.value(parameters["maxItems"] ?? 1, "maxItems");
  return {
    step: {
      type: "data",
      operation: "limit",
      items: context.items(),
      count,
      ...(parameters["keep"] === "lastItems" && { from: "end" }),
    },
  };
}

function deduplicate(context: NodeContext): Converted {
  const { parameters } = context;
  if (/PreviousExecutions|clearDeduplicationHistory/.test(textOf(parameters["operation"]))) {
    context.check(
      "Items of earlier runs are not remembered: use a Store step, or a trigger that starts once per item.",
    );
    return { step: { type: "transform", template: context.items() } };
  }
  if (at(parameters, "options", "removeOtherFields") === true) context.check("Other fields are kept here.");
  if (parameters["compare"] === "allFieldsExcept")
    context.check("It compares all fields here: name the fields to compare.");
  const by = parameters["compare"] === "selectedFields" ? names(parameters["fieldsToCompare"]) : [];
  return {
    step: { type: "data", operation: "deduplicate", items: context.items(), ...(by.length > 0 && { by }) },
  };
}

function splitOut(context: NodeContext): Converted {
  const { parameters } = context;
  const fields = names(parameters["fieldToSplitOut"]).map((name) => name.replace(/^\$json\./, ""));
  if (fields.length === 0 || fields.includes("$binary")) return { step: undefined };
  if (at(parameters, "options", "includeBinary") === true) context.check("Rows do not keep files.");
  const destinations = names(at(parameters, "options", "destinationFieldName"));
  const include = textOf(parameters["include"]) || "noOtherFields";
  const nested = isNested(parameters);
  const others =
    include === "selectedOtherFields"
      ? names(parameters["fieldsToInclude"]).map((name) => [name, keysOf(name, nested)] as const)
      : include === "allOtherFields"
        ? "all"
        : "none";
  const split = fields.map((field, index) => ({
    path: keysOf(field, nested),
    name: destinations[index] ?? field,
    isRow: include === "noOtherFields" && fields.length === 1 && destinations.length === 0,
  }));
  return { step: { type: "code", code: splitCode(context.itemsScript(), split, others) } };
}

function aggregate(context: NodeContext): Converted {
  const { parameters, node } = context;
  const kind = textOf(parameters["aggregate"]);
  if (at(parameters, "options", "includeBinaries") === true)
    context.check("Files of the items are not collected.");
  const isOldest = node.kind === "itemLists" && kind === "" && parameters["fieldsToAggregate"] === undefined;
  return kind === "aggregateAllItemData" || isOldest ? aggregateItems(context) : aggregateFields(context);
}

function aggregateItems(context: NodeContext): Converted {
  const { parameters } = context;
  const name = textOf(parameters["destinationFieldName"]) || "data";
  const included = names(parameters["fieldsToInclude"]);
  const excluded = names(parameters["fieldsToExclude"]);
  if (included.length + excluded.length === 0)
    return { step: { type: "transform", template: Object.fromEntries([[name, context.items()]]) } };
  const isKept =
    included.length > 0
      ? `${JSON.stringify(included)}.includes(key)`
      : `!${JSON.stringify(excluded)}.includes(key)`;
  const rows = `${context.itemsScript()}.map((each) => Object.fromEntries(Object.entries(each).filter(([key]) => ${isKept})))`;
  const script = `({ ${keyText(name)}: ${rows}.filter((each) => Object.keys(each).length > 0) })`;
  return { step: { type: "transform", template: `{{= ${script} }}` } };
}

function aggregateFields(context: NodeContext): Converted {
  const { parameters } = context;
  const nested = isNested(parameters);
  const keepsMissing = at(parameters, "options", "keepMissing") === true;
  const merges = at(parameters, "options", "mergeLists") === true;
  const entries = entriesAt(parameters, "fieldsToAggregate", "fieldToAggregate").flatMap(
    ({ fieldToAggregate, outputFieldName }) => {
      const field = fieldText(context, fieldToAggregate);
      const path = keysOf(field, nested);
      if (path.length === 0) return [];
      const name = textOf(outputFieldName) || path.at(-1) || field;
      if (nested && name.includes("."))
        context.check("The name of the new field has a dot: n8n makes an object.");
      const read = path.map((key) => `?.[${JSON.stringify(key)}]`).join("");
      const present = keepsMissing
        ? ""
        : ".filter((value) => value != null).map((value) => (Array.isArray(value) ? value.filter((one) => one !== null) : value))";
      return `${keyText(name)}: ${context.itemsScript()}.map((each) => each${read})${present}${merges ? ".flat()" : ""}`;
    },
  );
  if (entries.length === 0) return { step: undefined };
  return { step: { type: "transform", template: `{{= ({ ${entries.join(", ")} }) }}` } };
}

const PREFIXES: Readonly<Record<string, string>> = {
  append: "appended_",
  average: "average_",
  concatenate: "concatenated_",
  count: "count_",
  countUnique: "unique_count_",
  max: "max_",
  min: "min_",
  sum: "sum_",
};
/** n8n leaves these characters out of the names of new fields, and replaces spaces and dots. */
const fieldName = (text: string): string => text.replaceAll(/[\]["]/g, "").replaceAll(/[ .]/g, "_");

function summarize(context: NodeContext): Converted {
  const { parameters, node } = context;
  const nested = isNested(parameters);
  const aggregations = entriesAt(parameters, "fieldsToSummarize", "values").flatMap(
    ({ field, aggregation, includeEmpty, separateBy, customSeparator }) => {
      const kind = textOf(aggregation) || "count";
      const prefix = lookUp(PREFIXES, kind);
      const path = fieldText(context, field);
      if (prefix === undefined || path === "") return [];
      const separator = separateBy === "other" ? textOf(customSeparator) : textOf(separateBy ?? ",");
      const name = fieldName(`${prefix}${path}`);
      return [{ name, path: keysOf(path, nested), kind, includesEmpty: includeEmpty === true, separator }];
    },
  );
  if (aggregations.length === 0) return { step: undefined };
  const splits = names(parameters["fieldsToSplitBy"]).map(
    (field) => [fieldName(field), keysOf(field, nested)] as const,
  );
  if (splits.length > 0 && at(parameters, "options", "outputFormat") === "singleItem")
    context.check("It gives one item for each group. n8n puts the groups into one item.");
  const code = summarizeCode(context.itemsScript(), aggregations, splits, {
    isText: node.kind === "itemLists" || node.version === 1,
    skipsEmpty: at(parameters, "options", "skipEmptySplitFields") === true,
  });
  return { step: { type: "code", code } };
}

const itemLists: Readonly<Record<string, (context: NodeContext) => Converted>> = {
  splitOutItems: splitOut,
  concatenateItems: aggregate,
  aggregateItems: aggregate,
  limit,
  removeDuplicates: deduplicate,
  sort,
  summarize,
};
const LIST: NodeKind["flow"] = () => ({ takes: "all", gives: "list" });
const isGrouped = (parameters: Readonly<Record<string, unknown>>): boolean =>
  names(parameters["fieldsToSplitBy"]).length > 0;

export const listNodes: Readonly<Record<string, NodeKind>> = {
  sort: { flow: LIST, convert: sort },
  limit: { flow: LIST, convert: limit },
  removeDuplicates: { flow: LIST, convert: deduplicate },
  splitOut: { flow: LIST, convert: splitOut },
  aggregate: { flow: () => ({ takes: "all" }), convert: aggregate },
  summarize: {
    flow: ({ parameters }) => ({ takes: "all", gives: isGrouped(parameters) ? "list" : "one" }),
    convert: summarize,
  },
  itemLists: {
    flow: ({ parameters }) => ({
      takes: "all",
      gives:
        ["concatenateItems", "aggregateItems"].includes(textOf(parameters["operation"])) ||
        (parameters["operation"] === "summarize" && !isGrouped(parameters))
          ? "one"
          : "list",
    }),
    convert: (context) =>
      (
        itemLists[textOf(context.parameters["operation"]) || "splitOutItems"] ?? (() => ({ step: undefined }))
      )(context),
  },
};
