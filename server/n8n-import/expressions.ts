import type { ImportResult } from "../../contract/n8n-import.ts";
import { isSinglePlaceholder } from "../../contract/placeholders/scan-text.ts";
import { scanScript } from "../../contract/placeholders/script.ts";
import { readAccessor, type Scope } from "./accessors.ts";
import { type Data, doubtAbout, pathText, scriptOf } from "./data.ts";

/** An n8n expression in Baton. Without a script it stays as it was, as text. */
export interface Expression {
  source: string;
  script: string | undefined;
  /** The whole expression is a path. */
  path: string | undefined;
  result: ImportResult;
  note: string | undefined;
}

export type Part = string | Expression;

const MAX_EXPRESSION = 20_000;

/** Names of n8n with a counterpart in every expression. */
const GLOBALS: Readonly<Record<string, { script: string; path?: string }>> = {
  $now: { script: "DateTime.fromISO(now)", path: "now" },
  $today: { script: 'DateTime.fromISO(now).startOf("day")' },
  $itemIndex: { script: "0" },
  $runIndex: { script: "0" },
  $max: { script: "Math.max" },
  $min: { script: "Math.min" },
  $if: { script: "((test, yes, no) => (test ? yes : no))" },
  $ifEmpty: {
    script: '((value, other) => (value == null || value === "" || value.length === 0 ? other : value))',
  },
};

/** Objects of n8n whose fields have another name here. */
const MEMBERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  $execution: { id: "task.id" },
  $workflow: { id: "workflow.id", name: "workflow.name" },
};
const MEMBER = /\s*\??\.\s*([A-Za-z_$][\w$]*)|\s*\[\s*["']([^"'\\]{1,200})["']\s*\]/y;

/** Methods that n8n adds to texts, numbers, lists and dates. */
const EXTENSIONS =
  /\.\s*(isEmpty|isNotEmpty|first|last|toDateTime|toInt|toFloat|toNumber|toBoolean|toTitleCase|toSentenceCase|toSnakeCase|toCamelCase|removeMarkdown|removeTags|extractEmail|extractDomain|extractUrl|extractUrlPath|isEmail|isUrl|isDomain|isNumeric|hash|base64Encode|base64Decode|urlEncode|urlDecode|quote|replaceSpecialChars|parseJson|toJsonString|pluck|unique|compact|sum|average|randomItem|removeDuplicates|chunk|smartJoin|renameKeys|append|difference|intersection|union|isBetween|inBetween|isWeekend|beginningOf|endOfMonth|extract|isDst|diffTo|diffToNow|ceil|floor|round|isEven|isOdd|keepFieldsContaining|removeField|removeFieldsContaining|hasField|merge|urlEncode)\s*\(/g;
const MISSING_HERE =
  /(?<![\w$.])(require|fetch|Buffer|URL|URLSearchParams|atob|btoa|crypto|process|setTimeout|structuredClone)(?![\w$])/;
/** Luxon and JavaScript have methods of these names, too. */
const AMBIGUOUS = new Set([
  "round",
  "ceil",
  "floor",
  "difference",
  "intersection",
  "union",
  "append",
  "extract",
  "merge",
]);

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
    const note = whole.note ?? noteOf(whole.values);
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
    if (replacement.note !== undefined) notes.add(replacement.note);
    if (start === 0 && from === source.length) isSimple = replacement.path;
  });
  if (problem !== undefined) return failed(problem);
  let script = parts.join("") + source.slice(from);
  if (/DateTime|\$now|\$today/.test(source)) script = script.replaceAll(/\.format\(/g, ".toFormat(");
  const missing = MISSING_HERE.exec(source)?.[1];
  if (missing !== undefined) notes.add(`${missing} does not exist in expressions here.`);
  const extensions = [...script.matchAll(EXTENSIONS)]
    .map(([, name = ""]) => name)
    .filter((name) => !AMBIGUOUS.has(name));
  if (extensions.length > 0) notes.add(`${[...new Set(extensions)].join(", ")}: methods that only n8n has.`);
  const note = notes.size === 0 ? undefined : [...notes].join(" ");
  if (script.startsWith("{")) script = `(${script})`;
  if (!isSinglePlaceholder(`{{= ${script} }}`)) return failed("It could not be rewritten.");
  return { source, script, path: isSimple, result: note === undefined ? "ready" : "check", note };
}

interface Replacement {
  script: string;
  end: number;
  note?: string | undefined;
  path?: string | undefined;
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
    return { script, end: accessor.end, note: accessor.note ?? noteOf(accessor.values) };
  }
  const known = Object.hasOwn(GLOBALS, word) ? GLOBALS[word] : undefined;
  if (known !== undefined)
    return { ...known, end, ...(word === "$itemIndex" && scope.isInLoop && { script: "index" }) };
  const member = memberAt(source, end);
  if (member !== undefined && (word === "$vars" || word === "$env")) {
    const path = /^[\w$]+$/.test(member.name) ? `vars.${member.name}` : undefined;
    const note = `Create the variable ${member.name}.`;
    return { script: `vars[${JSON.stringify(member.name)}]`, path, end: member.end, note };
  }
  const members = Object.hasOwn(MEMBERS, word) ? MEMBERS[word] : undefined;
  const script =
    member !== undefined && members !== undefined && Object.hasOwn(members, member.name)
      ? members[member.name]
      : undefined;
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

function noteOf(values: readonly Data[]): string | undefined {
  return values.length > 1 ? "Takes the value of the branch that ran." : doubtAbout(values);
}

/** Text of n8n with `{{ }}` in it, without its leading `=`. */
export function splitText(text: string, scope: Scope): Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (;;) {
    const open = text.indexOf("{{", at);
    if (open < 0) break;
    const scanned = scanScript(text, open + 2);
    const close = scanned < 0 ? text.indexOf("}}", open + 2) : scanned;
    if (close < 0) break;
    if (open > at) parts.push(text.slice(at, open));
    parts.push(convertExpression(text.slice(open + 2, close), scope));
    at = close + 2;
  }
  if (at < text.length) parts.push(text.slice(at));
  return parts;
}

export function placeholderOf({ source, script, path }: Expression): string {
  if (path !== undefined) return `{{${path}}}`;
  return script === undefined ? escapeText(`{{ ${source} }}`) : `{{= ${script} }}`;
}

/** Braces of a text that is no expression in n8n. */
export function escapeText(text: string): string {
  return text.replaceAll(/\\?\{\{/g, String.raw`\{{`);
}
