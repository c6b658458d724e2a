import { scanScript } from "./script.ts";

/** The root of `{{= 1 + 1 }}`. Its path is the JavaScript, and the scope holds the values by that text. */
export const EXPRESSION_ROOT = "=";

/**
 * The text between `{{` and `}}`: a root and a path into it, which is never evaluated. The JavaScript of `{{= }}` is
 * evaluated in the sandbox before the template is rendered; for the template it is a path, too.
 */
export interface Reference {
  root: string;
  /** The keys after the root: `steps.a.output[0]` has the path `["a", "output", 0]`. */
  path: readonly (string | number)[];
  /** The step that `steps.<id>` names; absent for every other root. */
  stepId?: string;
  /** The source text, for messages. */
  source: string;
}

export type ReadPlaceholder =
  | { reference: Reference; end: number }
  | { reference: undefined; failedAt: number };

/** Names that lead from data to JavaScript internals. They resolve to nothing, even when the data has such keys. */
const forbiddenNames: ReadonlySet<unknown> = new Set(["__proto__", "constructor", "prototype"]);

export function isForbiddenName(name: unknown): boolean {
  return forbiddenNames.has(name);
}

// Step ids contain dashes, field names use any alphabet, and \p{M} keeps accents and vowel signs.
const NAME = /[\p{L}\p{M}\p{N}_$-]+/uy;
const SPACE = /\s*/y;
const DIGITS = /\d{1,15}/y;

/**
 * Parses one placeholder whose `{{` ends at `start`. Every character is read once, and a failure returns how far it
 * read, so a caller that continues from there stays linear on hostile text.
 */
export function readPlaceholder(text: string, start: number): ReadPlaceholder {
  if (text.charAt(start) === EXPRESSION_ROOT) return readExpression(text, start + 1);
  const pathStart = skipSpace(text, start);
  let at = endOfMatch(NAME, text, pathStart);
  if (at < 0) return failed(pathStart);
  const root = text.slice(pathStart, at);
  const path: (string | number)[] = [];

  for (;;) {
    const next = text.charAt(at);
    if (next === ".") {
      const end = endOfMatch(NAME, text, at + 1);
      if (end < 0) return failed(at + 1);
      path.push(text.slice(at + 1, end));
      at = end;
    } else if (next === "[") {
      const key = readBracket(text, at + 1);
      if (key.value === undefined) return failed(key.end);
      path.push(key.value);
      at = key.end;
    } else break;
  }

  const close = skipSpace(text, at);
  if (!text.startsWith("}}", close)) return failed(close);
  const reference: Reference = { root, path, source: text.slice(pathStart, at) };
  const first = path[0];
  if (root === "steps" && first !== undefined) reference.stepId = String(first);
  return { reference, end: close + 2 };
}

function readExpression(text: string, start: number): ReadPlaceholder {
  const end = scanScript(text, start);
  if (end < 0) return failed(text.length);
  const expression = text.slice(start, end).trim();
  if (expression === "") return failed(end);
  return {
    reference: { root: EXPRESSION_ROOT, path: [expression], source: `= ${expression}` },
    end: end + 2,
  };
}

function failed(failedAt: number): ReadPlaceholder {
  return { reference: undefined, failedAt };
}

function readBracket(text: string, start: number): { value: string | number | undefined; end: number } {
  const at = skipSpace(text, start);
  const quote = text.charAt(at);
  const key = quote === '"' || quote === "'" ? readQuoted(text, at + 1, quote) : readIndex(text, at);
  if (key.value === undefined) return key;
  const close = skipSpace(text, key.end);
  if (text.charAt(close) !== "]") return { value: undefined, end: close };
  return { value: key.value, end: close + 1 };
}

function readIndex(text: string, at: number): { value: number | undefined; end: number } {
  const end = endOfMatch(DIGITS, text, at);
  return end < 0 ? { value: undefined, end: at } : { value: Number(text.slice(at, end)), end };
}

/** Only the quote and the backslash can be escaped, so an escape cannot disguise a forbidden name. */
function readQuoted(text: string, start: number, quote: string): { value: string | undefined; end: number } {
  let value = "";
  let from = start;
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === quote) return { value: value + text.slice(from, at), end: at + 1 };
    if (char !== "\\") continue;
    const escaped = text.charAt(at + 1);
    if (escaped !== quote && escaped !== "\\") return { value: undefined, end: at + 1 };
    value += text.slice(from, at) + escaped;
    from = at + 2;
    at += 1;
  }
  return { value: undefined, end: text.length };
}

function skipSpace(text: string, at: number): number {
  // Fast path: usually there is no white space, and the pattern is not needed.
  const code = text.charCodeAt(at);
  return code > 0x20 && code < 0x7f ? at : endOfMatch(SPACE, text, at);
}

function endOfMatch(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}
