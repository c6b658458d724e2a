import { lookUp } from "../source/parameters.ts";
import type { ImportResult } from "../../../contract/n8n-import.ts";
import { isSinglePlaceholder } from "../../../contract/placeholders/scan-text.ts";
import { scanScript } from "../../../contract/placeholders/script.ts";
import { type Data, doubtAbout, pathText, scriptOf } from "../data/data.ts";
import { readAccessor, type Scope } from "./accessors.ts";
import { GLOBALS, MEMBERS, missingIn } from "./known-names.ts";
import { readTime, readsZone, ZONE_NOTE } from "./time.ts";

/** An n8n expression in Baton. Without a script it stays as it was, as text. */
export interface Expression {
  source: string;
  script: string | undefined;
  /** The whole expression is a path. */
  path: string | undefined;
  result: ImportResult;
  note: string | undefined;
}

/** A part of a text: as it is, or an expression. */
export type Part = string | Expression;

const MAX_EXPRESSION = 20_000;
/** `.plus(1, "day")`: Luxon would read the number as milliseconds, and ignore the unit. */
export const SHIFT = /\.(plus|minus)\(\s*([\w$.]{1,60})\s*,\s*(["'])([a-z]{1,20})\3\s*\)/g;

export function convertExpression(given: string, scope: Scope): Expression {
  const source = given.trim();
  const failed = (note: string): Expression => ({
    source,
    script: undefined,
    path: undefined,
    result: "check",
    note,
  });
  if (source === "") return { ...failed("It is empty."), script: '""' };
  if (source.length > MAX_EXPRESSION) return failed("It is too long to rewrite.");
  const whole = readAccessor(source, 0, scope);
  if (whole !== undefined && "failed" in whole && whole.end === source.length)
    return failed(`${whole.failed}.`);
  if (whole !== undefined && "values" in whole && whole.end === source.length) {
    const [only] = whole.values;
    const script = alternatives(whole.values.map(scriptOf));
    if (script === undefined) return failed("Nothing arrives here that it could read.");
    const path = whole.values.length === 1 && only !== undefined ? pathText(only) : undefined;
    const note = whole.note ?? noteOf(whole.values, scope);
    return { source, script, path, result: note === undefined ? "ready" : "check", note };
  }
  return rewrite(source, scope, failed);
}

function rewrite(source: string, scope: Scope, failed: (note: string) => Expression): Expression {
  const notes = new Set<string>();
  const parts: string[] = [];
  let from = 0;
  let problem: string | undefined;
  let isSimple: string | undefined;
  scanScript(source, 0, ({ word, start, end, previous }) => {
    if (!word.startsWith("$") || previous === "." || start < from || problem !== undefined) return;
    const replacement = replaceWord(source, word, start, end, scope);
    if (typeof replacement === "string") {
      problem = replacement;
      return;
    }
    parts.push(source.slice(from, start), replacement.script);
    from = replacement.end;
    // A missing value ends the chain, as in n8n: `$json.a.trim()` without a is nothing, and no error.
    if (replacement.mayBeMissing === true) {
      const next = /^\s*(?=\.|\[)/.exec(source.slice(from, from + 100));
      from += next?.[0].length ?? 0;
      if (next !== null) parts.push(source.charAt(from) === "." ? "?" : "?.");
    }
    if (replacement.note !== undefined) notes.add(replacement.note);
    if (start === 0 && from === source.length) isSimple = replacement.path;
  });
  if (problem !== undefined) return failed(problem);
  let script = parts.join("") + source.slice(from);
  if (/DateTime|\$now|\$today/.test(source))
    script = script.replaceAll(/\.format\(/g, ".toFormat(").replaceAll(SHIFT, ".$1({ $4: $2 })");
  for (const sentence of missingIn(source, script)) notes.add(sentence);
  if (scope.timezone === undefined && readsZone(source)) notes.add(ZONE_NOTE);
  const note = notes.size === 0 ? undefined : [...notes].join(" ");
  if (script.startsWith("{")) script = `(${script})`;
  if (!isSinglePlaceholder(`{{= ${script} }}`)) return failed("It could not be rewritten.");
  return { source, script, path: isSimple, result: note === undefined ? "ready" : "check", note };
}

const MEMBER = /\s*\??\.\s*([A-Za-z_$][\w$]*)|\s*\[\s*["']([^"'\\]{1,200})["']\s*\]/y;

interface Replacement {
  script: string;
  end: number;
  note?: string | undefined;
  path?: string | undefined;
  mayBeMissing?: boolean;
}

function replaceWord(
  source: string,
  word: string,
  start: number,
  end: number,
  scope: Scope,
): Replacement | string {
  const accessor = readAccessor(source, start, scope);
  if (accessor !== undefined) {
    if ("failed" in accessor) return `${accessor.failed}.`;
    const script = alternatives(accessor.values.map(scriptOf));
    if (script === undefined) return "Nothing arrives here that it could read.";
    return {
      script,
      end: accessor.end,
      note: accessor.note ?? noteOf(accessor.values, scope),
      mayBeMissing: accessor.isComplete !== true,
    };
  }
  const time = readTime(word, scope.timezone);
  if (time !== undefined) return { ...time, end };
  if (word === "$runIndex")
    return scope.runIndex === undefined
      ? "$runIndex counts the batches of another loop."
      : { script: scope.runIndex, path: scope.runIndex === "index" ? "index" : undefined, end };
  const known = lookUp(GLOBALS, word);
  if (known !== undefined)
    return { ...known, end, ...(word === "$itemIndex" && scope.isInLoop && { script: "index" }) };
  const member = memberAt(source, end);
  if (member !== undefined && (word === "$vars" || word === "$env")) {
    const path = /^[\w$]+$/.test(member.name) ? `vars.${member.name}` : undefined;
    const note = `Create the variable ${member.name}.`;
    return { script: `vars[${JSON.stringify(member.name)}]`, path, end: member.end, note };
  }
  const members = lookUp(MEMBERS, word);
  const script = members === undefined || member === undefined ? undefined : lookUp(members, member.name);
  if (script !== undefined && member !== undefined) return { script, path: script, end: member.end };
  return `${word} has no counterpart.`;
}

function memberAt(source: string, at: number): { name: string; end: number } | undefined {
  MEMBER.lastIndex = at;
  const found = MEMBER.exec(source);
  return found === null ? undefined : { name: found[1] ?? found[2] ?? "", end: at + found[0].length };
}

function alternatives(scripts: readonly string[]): string | undefined {
  const unique = [...new Set(scripts)];
  return unique.length > 1 ? `(${unique.join(" ?? ")})` : unique[0];
}

function noteOf(values: readonly Data[], { isExclusive }: Scope): string | undefined {
  return values.length > 1 && !isExclusive ? "Takes the first value of the lines." : doubtAbout(values);
}
