/** Reads JavaScript as far as needed to find its end and the names in it. Parsing it is up to the engine that runs it. */

export interface ScriptWord {
  word: string;
  start: number;
  end: number;
  /** The token before the word: a character, or `word` after a name or a number. */
  previous: string;
}

const WORD = /[\p{L}\p{M}\p{N}_$]+/uy;
// After one of these a slash begins a pattern; after a value it divides.
const BEFORE_PATTERN = new Set(["", ..."(,=:[!&|?{};+-*%<>~^"]);
const KEYWORDS = new Set([
  "return",
  "typeof",
  "case",
  "in",
  "of",
  "delete",
  "void",
  "throw",
  "new",
  "else",
  "do",
  "await",
  "yield",
  "instanceof",
]);

/**
 * Calls `onWord` for each name outside of texts, comments and patterns, and `onBraces` with the place of each `{` and the
 * place after its `}`, from `start` to the end of the text or to the first `}}` that closes nothing in the script. Returns
 * where that is, -1 when the text ends. Reads each character once.
 */
export function scanScript(
  text: string,
  start: number,
  onWord?: (found: ScriptWord) => void,
  onBraces?: (start: number, end: number) => void,
): number {
  // Open brackets, and "`" for a template whose `${` is open.
  const open: string[] = [];
  /** Where the brackets of each depth were opened. */
  const starts: number[] = [];
  let previous = "";
  let at = start;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === "}" && open.length === 0 && text.charAt(at + 1) === "}") return at;
    const skipped = char === "`" ? skipTemplate(text, at + 1, open) : skipQuoted(text, at, previous);
    if (skipped > at) {
      // A comment is not a token: what is before it decides about a slash after it.
      if (!text.startsWith("//", at) && !text.startsWith("/*", at)) previous = "word";
      at = skipped;
      continue;
    }
    WORD.lastIndex = at;
    if (WORD.test(text)) {
      const end = WORD.lastIndex;
      const word = text.slice(at, end);
      onWord?.({ word, start: at, end, previous });
      previous = KEYWORDS.has(word) && previous !== "." ? "" : "word";
      at = end;
      continue;
    }
    at += 1;
    if (char.trim() === "") continue;
    previous = char;
    if (char === "." && text.startsWith("..", at)) {
      // What is spread is no member: `{ ...steps.a.output }`.
      previous = "...";
      at += 2;
    }
    if (char === "{" || char === "(" || char === "[") {
      starts[open.length] = at - 1;
      open.push(char);
    } else if (char === ")" || char === "]") open.pop();
    else if (char === "}") {
      const opened = open.pop();
      if (opened === "`") at = skipTemplate(text, at, open);
      else if (opened === "{") onBraces?.(starts[open.length]!, at);
    }
    if (char === ")" || char === "]" || char === "}") previous = "word";
  }
  return -1;
}

/** The end of the text, comment or pattern that begins at `at`; `at` itself when none does. */
function skipQuoted(text: string, at: number, previous: string): number {
  const char = text.charAt(at);
  if (char === '"' || char === "'") return endOfEscaped(text, at + 1, char);
  if (char !== "/") return at;
  const next = text.charAt(at + 1);
  if (next === "/") return orEnd(text, text.indexOf("\n", at));
  if (next === "*") return orEnd(text, text.indexOf("*/", at + 2), 2);
  return BEFORE_PATTERN.has(previous) ? endOfPattern(text, at + 1) : at;
}

/** To the end of a template text, or to its next `${`, which is pushed as open. */
function skipTemplate(text: string, start: number, open: string[]): number {
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === "\\") at += 1;
    else if (char === "`") return at + 1;
    else if (char === "$" && text.charAt(at + 1) === "{") {
      open.push("`");
      return at + 2;
    }
  }
  return text.length;
}

function endOfEscaped(text: string, start: number, close: string): number {
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === "\\") at += 1;
    else if (char === close) return at + 1;
  }
  return text.length;
}

/** In a class such as `[/]` a slash is a character. */
function endOfPattern(text: string, start: number): number {
  let inClass = false;
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === "\\") at += 1;
    else if (char === "[") inClass = true;
    else if (char === "]") inClass = false;
    else if (char === "\n" || (char === "/" && !inClass)) return at + 1;
  }
  return text.length;
}

function orEnd(text: string, found: number, length = 0): number {
  return found < 0 ? text.length : found + length;
}
