import { isRecord } from "../../../contract/placeholders/json-value.ts";
import { at, entriesAt, textOf } from "../source/parameters.ts";
import { jsonValue } from "./json-value.ts";
import { keysOf } from "./list-code.ts";
import { keyText } from "./parameter-values.ts";
import type { Converted, NodeContext } from "./node-context.ts";
import { convertLiteral, type ValueType, withType } from "./typed-values.ts";

interface Assignment {
  name: string;
  value: unknown;
  type: ValueType | undefined;
}

/** The fields of every version of the node. The first two versions convert booleans, and the second one numbers. */
function assignments({ parameters, node }: NodeContext): Assignment[] {
  const newest = entriesAt(parameters, "assignments", "assignments");
  if (newest.length > 0)
    return newest
      .filter(({ type }) => type !== "binary")
      .map(({ name, value, type }) => ({ name: nameOf(name), value, type: typeOf(type) }));
  const third = entriesAt(parameters, "fields", "values");
  if (third.length > 0)
    return third.map((each) => {
      const field = textOf(each["type"]) || "stringValue";
      return { name: nameOf(each["name"]), value: each[field], type: typeOf(field.replace(/Value$/, "")) };
    });
  return ["boolean", "number", "string"].flatMap((type) =>
    entriesAt(parameters, "values", type).map((each) => ({
      name: nameOf(each["name"]) || "propertyName",
      value: each["value"] ?? (type === "boolean" ? false : type === "number" ? 0 : ""),
      type:
        type === "boolean"
          ? ("truth" as const)
          : type === "number" && node.version >= 2
            ? ("numeric" as const)
            : undefined,
    })),
  );
}

/** `=total` without an expression is the name total. */
function nameOf(value: unknown): string {
  const name = textOf(value);
  return name.startsWith("=") && !name.includes("{{") ? name.slice(1) : name;
}

function typeOf(type: unknown): ValueType | undefined {
  return (["string", "number", "boolean", "array", "object"] as const).find((one) => one === type);
}

export function setFields(context: NodeContext): Converted {
  const { parameters, node } = context;
  if (parameters["duplicateItem"] === true) context.note("n8n repeats the item in runs by hand only.");
  if (entriesAt(parameters, "assignments", "assignments").some(({ type }) => type === "binary"))
    context.check("Files of the item are not set: pass on the file of the step that gives it.");
  const included = includedFields(context);
  if (parameters["mode"] === "raw" || parameters["jsonOutput"] !== undefined) {
    return { step: { type: "transform", template: jsonOutput(context, included) } };
  }
  const isNested = at(parameters, "options", "dotNotation") !== false;
  const fields = assignments(context).filter(({ name }) => name !== "");
  const tree: Tree = new Map();
  const isKept = included !== undefined;
  for (const { name, value, type } of fields) {
    if (name.startsWith("=") && name.includes("{{"))
      context.check("An expression names a field: write its name.");
    if (isNested && /\[\d/.test(name))
      context.check("A field of a list is set as a field of an object here.");
    const isTyped = type !== undefined && node.version >= 3;
    const isConverted = isTyped || type === "truth" || type === "numeric";
    const literal = isConverted ? convertLiteral(value, type) : { value: value ?? "", fits: true };
    if (!literal.fits && !keepsOtherTypes(context))
      context.check(`The value of ${name.slice(0, 60)} is not of type ${type}: n8n fails here. Correct it.`);
    setAt(tree, keysOf(name, isNested), fieldValue(context, { name, value: literal.value, type }, isKept));
  }
  if (included === undefined) return { step: { type: "transform", template: plain(tree) } };
  const script = `({ ${[...included, ...entriesOf(tree, context.currentScript())].join(", ")} })`;
  return { step: { type: "transform", template: `{{= ${script} }}` } };
}

/** The JSON of version 3, with the other fields that the item keeps. */
function jsonOutput(context: NodeContext, included: readonly string[] | undefined): unknown {
  const value = jsonValue(context, context.parameters["jsonOutput"] ?? {}, "jsonOutput");
  if (included === undefined) return value;
  const isFixed = !JSON.stringify(value).includes("{{");
  // n8n sets a field with a dot in its name inside of an object.
  if (!isFixed || !isRecord(value) || Object.keys(value).some((name) => /[.[]/.test(name))) {
    context.check("n8n keeps other fields beside these: add them.");
    return value;
  }
  const fields = Object.entries(value).map(([name, one]) => `${keyText(name)}: ${JSON.stringify(one)}`);
  return `{{= ({ ${[...included, ...fields].join(", ")} }) }}`;
}

/** A placeholder, or JavaScript where the other fields are kept. */
function fieldValue(context: NodeContext, { name, value, type }: Assignment, isScript: boolean): unknown {
  const isExpression = typeof value === "string" && value.startsWith("=") && value.includes("{{");
  if (!isExpression || type === undefined)
    return isScript ? context.script(value, name) : context.value(value, name);
  const isText = type === "string" && !/^=\s*\{\{[\s\S]*\}\}\s*$/.test(value);
  if (isText) return isScript ? context.script(value, name) : context.value(value, name);
  const script = context.script(value, name);
  const typed = withType(script, type, {
    name,
    keepsOthers: keepsOtherTypes(context),
    version: context.node.version,
  });
  if (isScript) return typed;
  return typed === script ? context.value(value, name) : `{{= ${typed} }}`;
}

/** “Ignore Type Conversion Errors”. */
function keepsOtherTypes({ parameters }: NodeContext): boolean {
  return at(parameters, "options", "ignoreConversionErrors") === true;
}

/** What the item keeps, as parts of an object literal; undefined when it keeps nothing. */
function includedFields(context: NodeContext): string[] | undefined {
  const { parameters, node, scope } = context;
  const include = textOf(parameters["include"]) || "all";
  const isKeeping =
    node.version >= 3.3
      ? parameters["includeOtherFields"] === true
      : node.version >= 3
        ? include !== "none"
        : parameters["keepOnlySet"] !== true;
  if (!isKeeping || scope.current.length === 0) return undefined;
  const current = context.currentScript();
  const named = (list: unknown): string[] =>
    textOf(list)
      .replace(/^=/, "")
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "");
  if (node.version >= 3 && include === "selected")
    return named(parameters["includeFields"]).map((name) => {
      const path = keysOf(name, at(parameters, "options", "dotNotation") !== false);
      return `${keyText(path.at(-1) ?? name)}: ${current}${path.map((key) => `?.[${JSON.stringify(key)}]`).join("")}`;
    });
  if (node.version >= 3 && include === "except") {
    const excluded = named(parameters["excludeFields"]);
    if (excluded.some((name) => name.includes(".")))
      context.check("A field inside of another one is not left out.");
    return [
      `...Object.fromEntries(Object.entries(${current} ?? {}).filter(([key]) => !${JSON.stringify(excluded)}.includes(key)))`,
    ];
  }
  return [`...${current}`];
}

type Tree = Map<string, unknown>;
const MAX_DEPTH = 10;

function setAt(target: Tree, [key = "", ...rest]: readonly string[], value: unknown, depth = 0): void {
  if (rest.length === 0 || depth > MAX_DEPTH) return void target.set(key, value);
  const inner = target.get(key);
  const next: Tree = inner instanceof Map ? (inner as Tree) : new Map();
  target.set(key, next);
  setAt(next, rest, value, depth + 1);
}

/** A field with a dot in its name changes the object that arrives, and keeps its other fields. */
function entriesOf(tree: Tree, current: string): string[] {
  return [...tree].map(([key, value]) => {
    if (!(value instanceof Map)) return `${keyText(key)}: ${String(value)}`;
    const inner = `${current}?.[${JSON.stringify(key)}]`;
    return `${keyText(key)}: { ${[`...${inner}`, ...entriesOf(value as Tree, inner)].join(", ")} }`;
  });
}

function plain(value: unknown): unknown {
  return value instanceof Map
    ? Object.fromEntries([...(value as Tree)].map(([key, one]) => [key, plain(one)]))
    : value;
}
