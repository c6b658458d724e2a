import { isRecord } from "../../../contract/placeholders/json-value.ts";
import type { Scope } from "../expressions/accessors.ts";
import type { Expression, Part } from "../expressions/expressions.ts";
import { escapeText, MAX_TEXT, placeholderOf, splitText } from "../expressions/split-text.ts";

export interface ParameterValues {
  /** A parameter as a value of a step: expressions become placeholders, at any depth. */
  value: (given: unknown, field: string) => unknown;
  text: (given: unknown, field: string) => string;
  /** A parameter as JavaScript. */
  script: (given: unknown, field: string) => string;
}

const MAX_DEPTH = 50;

export function createParameterValues(
  scope: Scope,
  report: (field: string, expression: Expression) => void,
): ParameterValues {
  function partsOf(text: string, field: string): Part[] {
    if (text.length > MAX_TEXT && text.startsWith("=")) {
      const note = "It is too long to rewrite.";
      report(field, { source: "…", script: undefined, path: undefined, result: "check", note });
      return [text.slice(1)];
    }
    const parts = text.startsWith("=") ? splitText(text.slice(1), scope) : [text];
    for (const part of parts) if (typeof part !== "string") report(field, part);
    const expressions = parts.filter((part) => typeof part !== "string");
    // White space around a single expression is not part of its value.
    return expressions.length === 1 && parts.every((part) => typeof part !== "string" || part.trim() === "")
      ? expressions
      : parts;
  }

  function text(given: unknown, field: string): string {
    if (given === undefined || given === null) return "";
    if (typeof given !== "string") return typeof given === "object" ? JSON.stringify(given) : String(given);
    return partsOf(given, field)
      .map((part) => (typeof part === "string" ? escapeText(part) : placeholderOf(part)))
      .join("");
  }

  function value(given: unknown, field: string, depth = 0): unknown {
    if (typeof given === "string") return text(given, field);
    if (depth > MAX_DEPTH) return null;
    if (Array.isArray(given)) return given.map((one, at) => value(one, `${field}.${at}`, depth + 1));
    if (!isRecord(given)) return given;
    return Object.fromEntries(
      Object.entries(given).map(([key, one]) => [key, value(one, `${field}.${key}`, depth + 1)]),
    );
  }

  function script(given: unknown, field: string, depth = 0): string {
    if (typeof given === "string") return scriptOfParts(partsOf(given, field));
    if (depth > MAX_DEPTH || given === undefined) return "undefined";
    if (Array.isArray(given))
      return `[${given.map((one, at) => script(one, `${field}.${at}`, depth + 1)).join(", ")}]`;
    if (!isRecord(given)) return JSON.stringify(given);
    const fields = Object.entries(given).map(
      ([key, one]) => `${keyText(key)}: ${script(one, `${field}.${key}`, depth + 1)}`,
    );
    return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
  }

  return { value, text, script };
}

function scriptOfParts(parts: readonly Part[]): string {
  const [only] = parts;
  if (only === undefined) return '""';
  if (parts.length === 1) return typeof only === "string" ? JSON.stringify(only) : scriptOfPart(only);
  const inner = parts.map((part) =>
    typeof part === "string" ? part.replaceAll(/[`\\]|\$\{/g, String.raw`\$&`) : `\${${scriptOfPart(part)}}`,
  );
  return `\`${inner.join("")}\``;
}

function scriptOfPart({ script, source }: Expression): string {
  return script ?? JSON.stringify(`{{ ${source} }}`);
}

/** A key of an object literal. */
export function keyText(key: string): string {
  // Quoted, it would set the prototype of the object.
  if (key === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}
