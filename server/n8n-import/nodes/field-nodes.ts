import { at, entriesAt, textOf } from "../source/parameters.ts";
import { keyText } from "./parameter-values.ts";
import { type Converted, type NodeKind, type Tools } from "./tools.ts";
import { jsonValue } from "./json-value.ts";

const EACH: NodeKind["flow"] = () => ({ takes: "item" });

/** The fields of every version of the node, as names and values. */
function assignments({ parameters }: Tools): { name: string; value: unknown }[] {
  const newest = entriesAt(parameters, "assignments", "assignments");
  if (newest.length > 0) return newest.map((each) => ({ name: textOf(each["name"]), value: typed(each) }));
  const third = entriesAt(parameters, "fields", "values");
  if (third.length > 0)
    return third.map((each) => ({
      name: textOf(each["name"]),
      value: each[textOf(each["type"]) || "stringValue"],
    }));
  return ["string", "number", "boolean"].flatMap((type) =>
    entriesAt(parameters, "values", type).map((each) => ({
      name: textOf(each["name"]) || "propertyName",
      value: each["value"] ?? "",
    })),
  );
}

function typed({ type, value }: Readonly<Record<string, unknown>>): unknown {
  if (typeof value !== "string" || value.startsWith("=")) return value ?? "";
  if (type === "number" && value.trim() !== "" && Number.isFinite(Number(value))) return Number(value);
  if (type === "boolean") return value === "true";
  if (type !== "array" && type !== "object") return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

function setFields(tools: Tools): Converted {
  const { parameters, node } = tools;
  if (parameters["mode"] === "raw" || parameters["jsonOutput"] !== undefined) {
    const value = jsonValue(tools, parameters["jsonOutput"] ?? {}, "jsonOutput");
    const keeps = parameters["includeOtherFields"] === true;
    if (keeps) tools.check("Keeping the other fields beside JSON: check the result.");
    return { step: { type: "transform", template: value } };
  }
  const fields = assignments(tools).filter(({ name }) => name !== "");
  const isKeeping =
    node.version >= 3.3
      ? parameters["includeOtherFields"] === true
      : node.version >= 3
        ? parameters["include"] !== "none"
        : parameters["keepOnlySet"] !== true;
  const isNested = at(parameters, "options", "dotNotation") !== false;
  if (isKeeping && tools.scope.current.length > 0) {
    const script = fields.map(({ name, value }, index) => {
      if (isNested && name.includes("."))
        tools.check("A field with a dot in its name replaces the whole object.");
      const [head = name, ...rest] = isNested ? name.split(".") : [name];
      const inner = rest.reduceRight(
        (value, key) => `{ ${keyText(key)}: ${value} }`,
        tools.script(value, `${name || index}`),
      );
      return `${keyText(head)}: ${inner}`;
    });
    return {
      step: {
        type: "transform",
        template: `{{= ({ ${[`...${tools.currentScript()}`, ...script].join(", ")} }) }}`,
      },
    };
  }
  const template = new Map<string, unknown>();
  for (const { name, value } of fields)
    setAt(template, isNested ? name.split(".") : [name], tools.value(value, name));
  return { step: { type: "transform", template: plain(template) } };
}

function setAt(target: Map<string, unknown>, [key = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0 || rest.length > 20) return void target.set(key, value);
  const inner = target.get(key);
  const next = inner instanceof Map ? (inner as Map<string, unknown>) : new Map<string, unknown>();
  target.set(key, next);
  setAt(next, rest, value);
}

function plain(value: unknown): unknown {
  return value instanceof Map
    ? Object.fromEntries([...(value as Map<string, unknown>)].map(([key, one]) => [key, plain(one)]))
    : value;
}

function dateTime(tools: Tools): Converted {
  const { parameters, node } = tools;
  const field = textOf(parameters["outputFieldName"] ?? parameters["dataPropertyName"]);
  const operation =
    textOf(parameters["operation"] ?? parameters["action"]) ||
    (node.version >= 2 ? "getCurrentDate" : "format");
  const given =
    parameters["date"] ?? parameters["magnitude"] ?? parameters["value"] ?? parameters["startDate"];
  const date =
    given === undefined || operation === "getCurrentDate"
      ? "DateTime.fromISO(now)"
      : `DateTime.fromJSDate(new Date(${tools.script(given, "date")}))`;
  const unit = textOf(parameters["timeUnit"]) || "days";
  const duration = `{ ${keyText(unit)}: Number(${tools.script(parameters["duration"] ?? 0, "duration")}) }`;
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
              ? `DateTime.fromJSDate(new Date(${tools.script(parameters["endDate"], "endDate")})).diff(${date}).toObject()`
              : `${date}.${isSubtract ? "minus" : "plus"}(${duration}).toISO()`;
  tools.check("Check the date and its time zone.");
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
      template: `{{= ({ ...${tools.currentScript()}, ${keyText(name)}: ${script} }) }}`,
    },
  };
}

function rename(tools: Tools): Converted {
  const names = entriesAt(tools.parameters, "keys", "key").map(({ currentKey, newKey }) => [
    textOf(currentKey),
    textOf(newKey),
  ]);
  const pairs = names.filter(([from = "", to = ""]) => from !== "" && to !== "" && !from.includes("{{"));
  if (pairs.length === 0) return { step: { type: "transform", template: tools.items() } };
  return {
    step: { type: "data", operation: "pick", items: tools.items(), rename: Object.fromEntries(pairs) },
  };
}

export const fieldNodes: Readonly<Record<string, NodeKind>> = {
  set: { flow: EACH, convert: setFields },
  dateTime: { flow: EACH, convert: dateTime },
  renameKeys: { flow: () => ({ takes: "all", gives: "list" }), convert: rename },
};
