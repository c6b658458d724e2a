import { at, entriesAt, textOf, lookUp } from "../source/parameters.ts";
import { keyText } from "./parameter-values.ts";
import { type Converted, type NodeKind, type Tools } from "./tools.ts";

const names = (value: unknown): string[] =>
  textOf(value)
    .replace(/^=/, "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && !name.includes("{{"));

function sort(tools: Tools): Converted {
  const { parameters } = tools;
  if (parameters["type"] === "code" || parameters["type"] === "random") return { step: undefined };
  const by = entriesAt(parameters, "sortFieldsUi", "sortField").map(
    ({ fieldName, order }) => `${order === "descending" ? "-" : ""}${textOf(fieldName)}`,
  );
  return { step: { type: "data", operation: "sort", items: tools.items(), by } };
}

function limit(tools: Tools): Converted {
  const { parameters } = tools;
  const count = tools.value(parameters["maxItems"] ?? 1, "maxItems");
  return {
    step: {
      type: "data",
      operation: "limit",
      items: tools.items(),
      count,
      ...(parameters["keep"] === "lastItems" && { from: "end" }),
    },
  };
}

function deduplicate(tools: Tools): Converted {
  const { parameters } = tools;
  if (/PreviousExecutions|clearDeduplicationHistory/.test(textOf(parameters["operation"]))) {
    tools.check(
      "Items of earlier runs are not remembered: use a Store step, or a trigger that starts once per item.",
    );
    return { step: { type: "transform", template: tools.items() } };
  }
  if (parameters["compare"] === "allFieldsExcept")
    tools.check("It compares all fields here: name the fields to compare.");
  const by = parameters["compare"] === "selectedFields" ? names(parameters["fieldsToCompare"]) : [];
  return {
    step: { type: "data", operation: "deduplicate", items: tools.items(), ...(by.length > 0 && { by }) },
  };
}

function splitOut(tools: Tools): Converted {
  const { parameters } = tools;
  const fields = names(parameters["fieldToSplitOut"]);
  const [field] = fields;
  if (field === undefined) return { step: undefined };
  if (fields.length > 1) tools.check("Only the first of several fields is split out.");
  const isKeeping = textOf(parameters["include"]) === "allOtherFields";
  const name = textOf(at(parameters, "options", "destinationFieldName")) || field.split(".").at(-1) || field;
  if (textOf(parameters["include"]) === "selectedOtherFields")
    tools.check("Selected other fields are not kept.");
  tools.check("Texts and numbers in the list are items themselves, without a field around them.");
  return {
    step: {
      type: "data",
      operation: "split_out",
      items: tools.items(),
      field,
      ...(isKeeping && { as: name }),
    },
  };
}

function aggregate(tools: Tools): Converted {
  const { parameters } = tools;
  if (
    textOf(parameters["aggregate"]) === "aggregateAllItemData" ||
    parameters["operation"] === "concatenateItems"
  ) {
    const name = textOf(parameters["destinationFieldName"]) || "data";
    if (textOf(parameters["fieldsToInclude"]) + textOf(parameters["fieldsToExclude"]) !== "")
      tools.check("Items keep all fields here.");
    return { step: { type: "transform", template: Object.fromEntries([[name, tools.items()]]) } };
  }
  const fields = entriesAt(parameters, "fieldsToAggregate", "fieldToAggregate").map(
    ({ fieldToAggregate, renameField, outputFieldName }) => {
      const path = textOf(fieldToAggregate);
      return {
        path,
        name: (renameField === true && textOf(outputFieldName)) || path.split(".").at(-1) || path,
      };
    },
  );
  const entries = fields
    .filter(({ path }) => path !== "" && !path.startsWith("="))
    .map(
      ({ path, name }) =>
        `${keyText(name)}: ${tools.itemsScript()}.map((each) => each?.${path
          .split(".")
          .map((key) => `[${JSON.stringify(key)}]`)
          .join("?.")})`,
    );
  return { step: { type: "transform", template: `{{= ({ ${entries.join(", ")} }) }}` } };
}

const FUNCTIONS: Readonly<Record<string, string>> = {
  sum: "sum",
  average: "average",
  min: "min",
  max: "max",
  append: "list",
  count: "count",
  countUnique: "count",
};

function summarize(tools: Tools): Converted {
  const { parameters } = tools;
  const aggregates = entriesAt(parameters, "fieldsToSummarize", "values").map(({ field, aggregation }) => {
    const name = textOf(aggregation) || "count";
    const call = lookUp(FUNCTIONS, name);
    if (call === undefined || name === "countUnique")
      tools.check(`“${name.slice(0, 30)}” has no direct counterpart: check the result.`);
    const prefix = name === "countUnique" ? "unique_count" : name === "append" ? "appended" : name;
    const path = textOf(field);
    return [
      `${prefix}_${path.replaceAll(".", "_")}`,
      call === undefined ? `list(${path})` : call === "count" ? "count" : `${call}(${path})`,
    ];
  });
  const by = names(parameters["fieldsToSplitBy"]);
  return {
    step: {
      type: "data",
      operation: "group",
      items: tools.items(),
      ...(by.length > 0 && { by }),
      aggregates: Object.fromEntries(aggregates),
    },
    ...(by.length === 0 && { output: { path: [0], isExact: true } }),
  };
}

const itemLists: Readonly<Record<string, (tools: Tools) => Converted>> = {
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
    convert: (tools) =>
      (itemLists[textOf(tools.parameters["operation"]) || "splitOutItems"] ?? (() => ({ step: undefined })))(
        tools,
      ),
  },
};
