import type { Template, TemplateNode } from "./compile.ts";
import type { JsonValue } from "./json-value.ts";
import { isForbiddenName, type Reference } from "./reference.ts";

/** What placeholders can see. `steps` need only hold the steps that the template refers to. */
export interface Scope {
  input?: JsonValue;
  steps?: Record<string, { output?: JsonValue; status?: string; error?: JsonValue }>;
  item?: JsonValue;
  index?: number;
  vars?: Record<string, JsonValue>;
  secrets?: Record<string, JsonValue>;
  task?: { id: string };
  workflow?: { id: string; name: string };
  /** Milliseconds; shown as an ISO time. */
  now?: number;
}

/**
 * A few characters of template can repeat a large value without end; a field that would grow past this
 * throws instead of taking the process's memory with it.
 */
export const maxTextLength = 64 * 1024 * 1024;

export function renderTemplate(template: Template, scope: Scope): JsonValue {
  return renderNode(template.node, scope);
}

/** The value a reference leads to; what is not there is null. */
export function resolveReference(reference: Reference, scope: Scope): JsonValue {
  let current = ownValue(scope, reference.root);
  if (reference.root === "now" && typeof current === "number") current = new Date(current).toISOString();
  for (const key of reference.path) {
    if (current === undefined) return null;
    current = ownValue(current, key);
  }
  return isJson(current) ? current : null;
}

function renderNode(node: TemplateNode, scope: Scope): JsonValue {
  switch (node.kind) {
    case "literal":
      return node.value;
    case "value":
      return resolveReference(node.reference, scope);
    case "text":
      return renderText(node.parts, scope);
    case "array":
      return node.items.map((item) => renderNode(item, scope));
    case "object":
      // fromEntries defines own properties, so a key named __proto__ stays a key.
      return Object.fromEntries(node.entries.map(([key, child]) => [key, renderNode(child, scope)]));
  }
}

function renderText(parts: (string | Reference)[], scope: Scope): string {
  let text = "";
  for (const part of parts) {
    const piece = typeof part === "string" ? part : asText(resolveReference(part, scope));
    if (text.length + piece.length > maxTextLength)
      throw new RangeError(`A text with placeholders would grow beyond ${maxTextLength} characters.`);
    text += piece;
  }
  return text;
}

function asText(value: JsonValue): string {
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function ownValue(holder: unknown, key: string | number): unknown {
  if (typeof holder !== "object" || holder === null || isForbiddenName(key)) return undefined;
  return Object.hasOwn(holder, key) ? (holder as Record<string | number, unknown>)[key] : undefined;
}

function isJson(value: unknown): value is JsonValue {
  return value !== undefined && typeof value !== "function" && typeof value !== "symbol";
}
