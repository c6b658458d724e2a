import type { SqlParams, SqlValue } from "./db.ts";

/** A statement's text with its parameters numbered, and which value goes where. */
export interface CompiledSql {
  text: string;
  /** One per placeholder of `text`: the name, or the index of a value list, that supplies it. */
  sources: readonly (string | number)[];
  /** A value list of this length needs no reordering. */
  inOrder: boolean;
}

/** `$name`, or `$1` where a list of values is generated. `$$` quotes a function body in PostgreSQL. */
const PARAMETER = /\$(?:(\d+)|([A-Za-z_]\w*))/g;

/** For a dialect whose placeholders repeat a value by number: `$1 … $2 … $1`. */
export function toNumbered(sql: string): CompiledSql {
  const sources: (string | number)[] = [];
  const text = sql.replaceAll(PARAMETER, (_match, index: string | undefined, name: string | undefined) => {
    const source = sourceOf(index, name);
    let at = sources.indexOf(source);
    if (at === -1) at = sources.push(source) - 1;
    return `$${at + 1}`;
  });
  return { text, sources, inOrder: isInOrder(sources) };
}

/** For a dialect whose placeholders are counted as they appear: `? … ? … ?`. */
export function toQuestionMarks(sql: string): CompiledSql {
  const sources: (string | number)[] = [];
  const text = sql.replaceAll(PARAMETER, (_match, index: string | undefined, name: string | undefined) => {
    sources.push(sourceOf(index, name));
    return "?";
  });
  return { text, sources, inOrder: isInOrder(sources) };
}

function isInOrder(sources: readonly (string | number)[]): boolean {
  return sources.every((source, at) => source === at);
}

function sourceOf(index: string | undefined, name: string | undefined): string | number {
  return index === undefined ? name! : Number(index) - 1;
}

/** A mistake in the code, such as a missing value, never data: nothing is sent to the database. */
export class WrongParameter extends Error {}

/** The values in the order of the placeholders. */
export function valuesOf(
  { text, sources, inOrder }: CompiledSql,
  params: SqlParams | undefined,
): readonly SqlValue[] {
  if (params === undefined || sources.length === 0) return requireNone(text, sources);
  if (isList(params)) {
    if (inOrder && params.length === sources.length) return params;
    return sources.map((source) => params[source as number] ?? null);
  }
  const values: SqlValue[] = [];
  for (let at = 0; at < sources.length; at += 1) {
    const value = params[sources[at]!];
    if (value === undefined)
      throw new WrongParameter(`The SQL parameter $${sources[at]} has no value: ${text}`);
    values.push(value);
  }
  return values;
}

/**
 * PostgreSQL text cannot hold U+0000, and a driver of SQLite cuts text there, so it is stored as U+FFFD, the replacement
 * character. JSON stored as text contains the escape `\u0000` and keeps it; `json_each` of PostgreSQL (prelude.ts)
 * follows the same rule.
 */
export function withoutNul(value: string): string {
  return value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value;
}

function isList(params: SqlParams): params is readonly SqlValue[] {
  return Array.isArray(params);
}

function requireNone(text: string, sources: readonly (string | number)[]): readonly [] {
  if (sources.length > 0) throw new WrongParameter(`The statement needs parameters: ${text}`);
  return [];
}
