import { compileTemplate } from "../../../contract/placeholders/compile.ts";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { convertExpression, type Expression } from "../expressions/expressions.ts";
import { MAX_TEXT, placeholderOf, splitText } from "../expressions/split-text.ts";
import type { NodeContext } from "./node-context.ts";

const TOKEN = "\u2063";

/** Text with JSON in it, and expressions inside or outside of its strings, as a value with placeholders. */
export function jsonValue(context: NodeContext, given: unknown, field: string): unknown {
  if (typeof given !== "string") return context.value(given, field);
  const source = given.startsWith("=") ? given.slice(1).trim() : undefined;
  const only =
    source === undefined ? undefined : /^\{\{\s*JSON\.stringify\(([\s\S]*)\)\s*\}\}$/.exec(source)?.[1];
  if (only !== undefined && !/,[^()[\]{}]*$/.test(only)) return context.value(`={{ ${only} }}`, field);
  if (source === undefined) return parsed(given) ?? context.text(given, field);
  if (source.length > MAX_TEXT) return context.value(given, field);
  const parts = splitText(source, context.scope);
  const placeholders: string[] = [];
  let isInText = false;
  let text = "";
  for (const part of parts) {
    if (typeof part === "string") {
      text += part;
      for (let at = 0; at < part.length; at++)
        if (part.charAt(at) === "\\") at += 1;
        else if (part.charAt(at) === '"') isInText = !isInText;
      continue;
    }
    const token = `${TOKEN}${placeholders.length}${TOKEN}`;
    placeholders.push(placeholderOf(isInText ? part : asValue(context, part)));
    text += isInText ? token : JSON.stringify(token);
  }
  const value = parsed(text);
  // Reported once, with the whole text.
  const whole = context.value(given, field);
  if (value === undefined) return whole;
  const filled = fill(value, placeholders);
  return compileTemplate(filled as JsonValue).problems.length === 0 ? filled : whole;
}

/** `{{ JSON.stringify($json.a) }}` outside of a text is the value itself. */
function asValue(context: NodeContext, part: Expression): Expression {
  const inner = /^JSON\.stringify\(([\s\S]*)\)$/.exec(part.source)?.[1];
  if (inner === undefined || /,[^()[\]{}]*$/.test(inner)) return part;
  return convertExpression(inner, context.scope);
}

function fill(value: unknown, placeholders: readonly string[]): unknown {
  if (typeof value === "string")
    return value.replaceAll(/\u2063(\d+)\u2063/g, (_all, index: string) => placeholders[Number(index)] ?? "");
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => fill(one, placeholders));
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [fill(key, placeholders), fill(one, placeholders)]),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
