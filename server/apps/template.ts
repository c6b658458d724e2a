import { compileTemplate, type TemplateNode } from "../../contract/placeholders/compile.ts";
import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import { resolveReference, type Scope } from "../../contract/placeholders/render.ts";

/** What the templates of an app read, by root: `input`, `connection`, `body`, `item` … */
export type AppScope = Readonly<Record<string, unknown>>;

/** How a value becomes a part of a text. */
type ToText = (value: JsonValue, path: readonly (string | number)[]) => string;

const compiled = new Map<string, TemplateNode>();
const compiledValues = new WeakMap<object, TemplateNode>();

/** Texts of built-in apps are few; those of OpenAPI documents come and go. */
const MAX_TEXTS = 5000;

/** Compiled on first use: twenty apps cost nothing at the start. */
function nodeOf(template: JsonValue): TemplateNode {
  if (typeof template === "string") {
    const known = compiled.get(template);
    if (known !== undefined) return known;
    if (compiled.size >= MAX_TEXTS) compiled.clear();
    const { node } = compileTemplate(template);
    compiled.set(template, node);
    return node;
  }
  if (typeof template !== "object" || template === null) return { kind: "literal", value: template };
  const known = compiledValues.get(template);
  if (known !== undefined) return known;
  const { node } = compileTemplate(template);
  compiledValues.set(template, node);
  return node;
}

/** Fills in a template of an app. Undefined when it is one placeholder whose value is missing; such keys are omitted. */
export function fill(template: JsonValue, scope: AppScope): JsonValue | undefined {
  return fillNode(nodeOf(template), scope);
}

/** As text; empty when it is missing. */
export function fillText(template: string, scope: AppScope, toText: ToText = asText): string {
  const node = nodeOf(template);
  if (node.kind === "literal") return String(node.value);
  const parts = node.kind === "text" ? node.parts : node.kind === "value" ? [node.reference] : [];
  let text = "";
  for (const part of parts)
    text +=
      typeof part === "string"
        ? part
        : toText(resolveReference(part, scope as Scope), [part.root, ...part.path]);
  return text;
}

function fillNode(node: TemplateNode, scope: AppScope): JsonValue | undefined {
  switch (node.kind) {
    case "literal":
      return node.value;
    case "value":
      return resolveReference(node.reference, scope as Scope) ?? undefined;
    case "text": {
      let text = "";
      for (const part of node.parts)
        text += typeof part === "string" ? part : asText(resolveReference(part, scope as Scope));
      return text;
    }
    case "array": {
      const filled: JsonValue[] = [];
      for (const item of node.items) {
        const value = fillNode(item, scope);
        if (value !== undefined) filled.push(value);
      }
      return filled;
    }
    case "object": {
      const filled: Record<string, JsonValue> = {};
      for (const [key, child] of node.entries) {
        const value = fillNode(child, scope);
        if (value !== undefined && !isEmptied(child, value)) filled[key] = value;
      }
      return filled;
    }
  }
}

/** An object of placeholders that are all missing, such as an optional `thread: {ts: "{{input.thread}}"}`. */
function isEmptied(node: TemplateNode, value: JsonValue): boolean {
  return node.kind === "object" && isRecord(value) && Object.keys(value).length === 0;
}

function asText(value: JsonValue): string {
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
