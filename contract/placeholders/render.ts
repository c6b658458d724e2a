import type { Template, TemplateNode } from "./compile.ts";
import type { Measure } from "./json-size.ts";
import type { JsonValue } from "./json-value.ts";
import { isForbiddenName, type Reference } from "./reference.ts";

/** The HTTP request that started a task, with credentials redacted. */
export interface TriggerRequest {
  method: string;
  /** Lower-case names. */
  headers: Record<string, string>;
  query: Record<string, string | string[]>;
  /** The attributes of a CloudEvent. */
  event?: Record<string, string | number | boolean>;
}

/** The values that placeholders can read. `steps` needs only the steps that the template refers to. */
export interface Scope {
  input?: JsonValue;
  steps?: Record<string, { output?: JsonValue; status?: string; error?: JsonValue }>;
  item?: JsonValue;
  index?: number;
  vars?: Record<string, JsonValue>;
  secrets?: Record<string, JsonValue>;
  /** How the task was started; `method`, `headers` and `query` only for webhooks, public calls and forms. */
  trigger?: { kind: string } & Partial<TriggerRequest>;
  task?: { id: string; resumeUrls?: Record<string, string> };
  workflow?: { id: string; name: string };
  /** Milliseconds; shown as an ISO time. */
  now?: number;
  /** The values of the template's `{{= }}` expressions, by their text. */
  "="?: Record<string, JsonValue>;
}

/** Limits what placeholders insert. Inserted values are shared, not copied: they grow only when they are serialised. */
export interface RenderBudget {
  measure: Measure;
  /** The size that may still be inserted. */
  left: number;
  /** The error to throw when nothing is left. */
  refuse(value: JsonValue): Error;
}

/** Where no budget applies, a text that would exceed this size throws instead of exhausting the memory of the process. */
export const maxTextLength = 64 * 1024 * 1024;

export function renderTemplate(template: Template, scope: Scope, budget?: RenderBudget): JsonValue {
  return renderNode(template.node, scope, budget);
}

/** The value of a reference; null when it does not exist. */
export function resolveReference(reference: Reference, scope: Scope): JsonValue {
  let current = ownValue(scope, reference.root);
  if (reference.root === "now" && typeof current === "number") current = new Date(current).toISOString();
  for (const key of reference.path) {
    if (current === undefined) return null;
    current = ownValue(current, key);
  }
  return isJson(current) ? current : null;
}

function renderNode(node: TemplateNode, scope: Scope, budget: RenderBudget | undefined): JsonValue {
  switch (node.kind) {
    case "literal":
      return node.value;
    case "value":
      return insert(node.reference, scope, budget);
    case "text":
      return renderText(node.parts, scope, budget);
    case "array":
      return node.items.map((item) => renderNode(item, scope, budget));
    case "object":
      // fromEntries defines own properties, so a key named __proto__ stays a key.
      return Object.fromEntries(node.entries.map(([key, child]) => [key, renderNode(child, scope, budget)]));
  }
}

/** Counted before anything is built from the value. */
function insert(reference: Reference, scope: Scope, budget: RenderBudget | undefined): JsonValue {
  const value = resolveReference(reference, scope);
  if (budget === undefined) return value;
  budget.left -= budget.measure(value, budget.left);
  if (budget.left < 0) throw budget.refuse(value);
  return value;
}

function renderText(parts: (string | Reference)[], scope: Scope, budget: RenderBudget | undefined): string {
  let text = "";
  for (const part of parts) {
    const piece = typeof part === "string" ? part : asText(insert(part, scope, budget));
    if (text.length + piece.length > maxTextLength)
      throw new RangeError(
        `Text with placeholders would exceed ${maxTextLength} characters. Insert smaller values.`,
      );
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
