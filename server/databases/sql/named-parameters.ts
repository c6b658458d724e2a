import { isRecord, type JsonValue } from "../../../contract/placeholders/json-value.ts";
import { invalidField } from "../../steps/step-failure.ts";
import type { SqlStatement } from "./sql-driver.ts";

export interface BoundStatement {
  text: string;
  values: JsonValue[];
}

/** Texts, quoted names, comments and dollar quotes, which hold no parameters; then `::` casts, and `:name`. */
const TOKENS =
  /'(?:[^'\\]|''|\\.)*'|"(?:[^"]|"")*"|`[^`]*`|--[^\n]*|\/\*[\s\S]*?\*\/|(\$\w*\$)[\s\S]*?\1|::|:([A-Za-z_]\w*)/g;

/** Replaces `:name` by the placeholders of the database. A list of parameters is passed on unchanged. */
export function bindParameters(
  { query, parameters }: SqlStatement,
  placeholder: (position: number) => string,
): BoundStatement {
  if (!isRecord(parameters)) return { text: query, values: [...(parameters as readonly JsonValue[])] };
  const values: JsonValue[] = [];
  const text = query.replaceAll(TOKENS, (whole: string, _tag: unknown, name: string | undefined) => {
    if (name === undefined) return whole;
    if (!Object.hasOwn(parameters, name))
      throw invalidField("parameters", `has no value for :${name} of the query`);
    values.push((parameters as Record<string, JsonValue>)[name] ?? null);
    return placeholder(values.length);
  });
  return { text, values };
}

/** True when another statement follows a semicolon. A trigger contains statements of its own. */
export function hasSeveralStatements(query: string): boolean {
  if (/^\s*create\s+(temp(orary)?\s+)?trigger\b/i.test(query)) return false;
  const rest = query.replaceAll(TOKENS, (whole) => (/^(--|\/\*)/.test(whole) ? " " : "x"));
  return /;\s*[^\s;]/.test(rest);
}
