import { entriesAt, textOf } from "../source/parameters.ts";
import { keyText } from "./parameter-values.ts";
import { setFields } from "./set-node.ts";
import { type Converted, type NodeContext, type NodeKind } from "./node-context.ts";

const EACH: NodeKind["flow"] = () => ({ takes: "item" });

function dateTime(context: NodeContext): Converted {
  const { parameters, node } = context;
  const field = textOf(parameters["outputFieldName"] ?? parameters["dataPropertyName"]);
  const operation =
    textOf(parameters["operation"] ?? parameters["action"]) ||
    (node.version >= 2 ? "getCurrentDate" : "format");
  const given =
    parameters["date"] ?? parameters["magnitude"] ?? parameters["value"] ?? parameters["startDate"];
  const date =
    given === undefined || operation === "getCurrentDate"
      ? "DateTime.fromISO(now)"
      : `DateTime.fromJSDate(new Date(${context.script(given, "date")}))`;
  const unit = textOf(parameters["timeUnit"]) || "days";
  const duration = `{ ${keyText(unit)}: Number(${context.script(parameters["duration"] ?? 0, "duration")}) }`;
  const format =
    textOf(parameters["customFormat"] ?? parameters["toFormat"] ?? parameters["format"]) || "yyyy-MM-dd";
  const isSubtract = operation === "subtractFromDate" || parameters["operation"] === "subtract";
  const script =
    operation === "getCurrentDate"
      ? `${date}.toISO()`
      : operation === "formatDate" || operation === "format"
        ? `${date}.toFormat(${JSON.stringify(format.startsWith("=") ? "yyyy-MM-dd" : format)})`
        : operation === "extractDate"
          ? `${date}.get(${JSON.stringify(textOf(parameters["part"]) || "month")})`
          : operation === "roundDate"
            ? `${date}.startOf(${JSON.stringify(textOf(parameters["toNearest"]) || "month")}).toISO()`
            : operation === "getTimeBetweenDates"
              ? `DateTime.fromJSDate(new Date(${context.script(parameters["endDate"], "endDate")})).diff(${date}).toObject()`
              : `${date}.${isSubtract ? "minus" : "plus"}(${duration}).toISO()`;
  context.check("Check the date and its time zone.");
  const names: Readonly<Record<string, string>> = {
    getCurrentDate: "currentDate",
    formatDate: "formattedDate",
    extractDate: "datePart",
    roundDate: "roundedDate",
    getTimeBetweenDates: "timeDifference",
    addToDate: "newDate",
    subtractFromDate: "newDate",
  };
  const name = field || (names[operation] ?? "data");
  return {
    step: {
      type: "transform",
      template: `{{= ({ ...${context.currentScript()}, ${keyText(name)}: ${script} }) }}`,
    },
  };
}

function rename(context: NodeContext): Converted {
  if (entriesAt(context.parameters, "additionalOptions", "regexReplacement", "replacements").length > 0)
    context.check("Names are not replaced by a pattern here.");
  const names = entriesAt(context.parameters, "keys", "key").map(({ currentKey, newKey }) => [
    textOf(currentKey),
    textOf(newKey),
  ]);
  const pairs = names.filter(([from = "", to = ""]) => from !== "" && to !== "" && !from.includes("{{"));
  if (pairs.length === 0) return { step: { type: "transform", template: context.items() } };
  return {
    step: { type: "data", operation: "pick", items: context.items(), rename: Object.fromEntries(pairs) },
  };
}

export const fieldNodes: Readonly<Record<string, NodeKind>> = {
  set: { flow: EACH, convert: setFields },
  dateTime: { flow: EACH, convert: dateTime },
  renameKeys: { flow: () => ({ takes: "all", gives: "list" }), convert: rename },
};
