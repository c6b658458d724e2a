import { isRecord, type JsonValue } from "../../../contract/placeholders/json-value.ts";
import { invalidField } from "../../steps/step-failure.ts";
import type { SqlStatement } from "./sql-driver.ts";
import { type SqlToken, sqlTokens } from "./sql-tokens.ts";

export interface BoundStatement {
  text: string;
  values: JsonValue[];
}

/** Replaces `:name` by the placeholders of the database. A list of parameters is passed on unchanged. */
export function bindParameters(
  { query, parameters }: SqlStatement,
  placeholder: (position: number) => string,
): BoundStatement {
  if (!isRecord(parameters)) return { text: query, values: [...(parameters as readonly JsonValue[])] };
  const values: JsonValue[] = [];
  const text = replaceTokens(query, ({ start, end, name }) => {
    if (name === undefined) return query.slice(start, end);
    if (!Object.hasOwn(parameters, name))
      throw invalidField("parameters", `has no value for :${name} of the query`);
    values.push((parameters as Record<string, JsonValue>)[name] ?? null);
    return placeholder(values.length);
  });
  return { text, values };
}

/** True when another statement follows a semicolon. A trigger contains its own statements. */
export function hasSeveralStatements(query: string): boolean {
  if (/^\s*create\s+(temp(orary)?\s+)?trigger\b/i.test(query)) return false;
  return /;\s*[^\s;]/.test(replaceTokens(query, ({ kind }) => (kind === "comment" ? " " : "x")));
}

function replaceTokens(query: string, replace: (token: SqlToken) => string): string {
  const parts: string[] = [];
  let at = 0;
  for (const token of sqlTokens(query)) {
    parts.push(query.slice(at, token.start), replace(token));
    at = token.end;
  }
  return parts.join("") + query.slice(at);
}
