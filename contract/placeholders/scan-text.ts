import { readPlaceholder, type Reference } from "./reference.ts";

export interface ScannedText {
  /** Literal text and references in order; escapes are already resolved. */
  parts: (string | Reference)[];
  /** The problem of the first `{{` that begins no placeholder. At run time it is plain text. */
  problem: string | undefined;
  /** How often `{{` was read as the beginning of a placeholder. */
  opened: number;
}

/** What follows after `maxOpened` of them is literal text. */
export function scanText(text: string, maxOpened = Number.POSITIVE_INFINITY): ScannedText {
  const parts: (string | Reference)[] = [];
  let problem: string | undefined;
  let literal = "";
  let literalFrom = 0;
  let at = 0;
  let opened = 0;

  while (opened < maxOpened) {
    let open = text.indexOf("{{", at);
    if (open < 0) break;
    if (open > literalFrom && text.charAt(open - 1) === "\\") {
      literal += `${text.slice(literalFrom, open - 1)}{{`;
      literalFrom = at = open + 2;
      continue;
    }
    // In a sequence of braces the last two open the placeholder: `{{{input}}}` is an input in braces.
    while (text.charAt(open + 2) === "{") open += 1;
    opened += 1;
    const read = readPlaceholder(text, open + 2);
    if (read.reference === undefined) {
      problem ??= describeProblem(text, open, read.failedAt);
      at = read.failedAt;
      continue;
    }
    literal += text.slice(literalFrom, open);
    if (literal !== "") parts.push(literal);
    parts.push(read.reference);
    literal = "";
    literalFrom = at = read.end;
  }

  literal += text.slice(literalFrom);
  if (literal !== "" || parts.length === 0) parts.push(literal);
  return { parts, problem, opened };
}

/** True for text that is one placeholder and nothing else: such a field keeps the type of the value. */
export function isSinglePlaceholder(text: string): boolean {
  if (!text.startsWith("{{") || !text.endsWith("}}")) return false;
  const { parts } = scanText(text);
  return parts.length === 1 && typeof parts[0] !== "string";
}

const SHOWN_LENGTH = 60;

function describeProblem(text: string, open: number, failedAt: number): string {
  const close = text.indexOf("}}", failedAt);
  const end = close < 0 ? text.length : close + 2;
  const shown =
    end - open > SHOWN_LENGTH ? `${text.slice(open, open + SHOWN_LENGTH)}…` : text.slice(open, end);
  const fact =
    close < 0
      ? `"${shown}" opens a placeholder that is never closed with }}`
      : `"${shown}" is not a placeholder: it must be a path such as {{input.name}} or {{steps.<id>.output}}, without calculations; for a calculation write {{= … }}`;
  return `${fact}. For two literal braces write \\{{.`;
}
