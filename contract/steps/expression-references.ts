import type { Reference } from "../placeholders/reference.ts";

/**
 * The steps that a JSONata expression refers to. JSONata itself stays on the server; here it is enough to find every
 * place where `steps` is used as a root, and the id after it.
 */
export interface ExpressionReferences {
  references: Reference[];
  /** `steps` is used without an id, so the referenced steps are unknown. */
  unnamed: boolean;
}

const WORD = /[\p{L}\p{N}_$]+/uy;
const SPACE = /\s*/y;
// After one of these a slash begins a pattern; after a value it divides.
const BEFORE_PATTERN = new Set(["", "(", ",", "=", "~", ":", "[", "{", "&", "?", ">", ";"]);

export function expressionReferences(expression: string): ExpressionReferences {
  const references = new Map<string, Reference>();
  let unnamed = false;
  let previous = "";
  let lastWord = "";
  let at = 0;

  while (at < expression.length) {
    const char = expression.charAt(at);
    const quoted = endOfQuoted(expression, at, previous);
    if (quoted > at) {
      previous = char;
      at = quoted;
      continue;
    }
    const wordEnd = endOfMatch(WORD, expression, at);
    if (wordEnd === at) {
      if (char.trim() !== "") previous = char;
      at += 1;
      continue;
    }
    const word = expression.slice(at, wordEnd);
    // After a dot it is a field of another value, unless that value is the whole scope, `$$`.
    if (word === "steps" && (previous !== "." || lastWord === "$$")) {
      const stepId = readStepId(expression, wordEnd);
      if (stepId === undefined) unnamed = true;
      else references.set(stepId, { root: "steps", path: [stepId], stepId, source: `steps.${stepId}` });
    }
    previous = "word";
    lastWord = word;
    at = wordEnd;
  }
  return { references: [...references.values()], unnamed };
}

/** `.name`, `` .`any name` `` or `."any name"` after the word `steps`. */
function readStepId(expression: string, start: number): string | undefined {
  const dot = endOfMatch(SPACE, expression, start);
  if (expression.charAt(dot) !== ".") return undefined;
  const at = endOfMatch(SPACE, expression, dot + 1);
  const quote = expression.charAt(at);
  if (quote === "`" || quote === '"' || quote === "'") {
    const end = expression.indexOf(quote, at + 1);
    return end < 0 ? undefined : expression.slice(at + 1, end);
  }
  const end = endOfMatch(WORD, expression, at);
  return end === at ? undefined : expression.slice(at, end);
}

/** The end of the text, quoted name, comment or pattern that begins at `at`; `at` itself when none does. */
function endOfQuoted(expression: string, at: number, previous: string): number {
  const char = expression.charAt(at);
  if (char === "`") return after(expression.indexOf("`", at + 1), 1, expression);
  if (char === '"' || char === "'") return endOfEscaped(expression, at, char);
  if (char !== "/") return at;
  if (expression.charAt(at + 1) === "*") return after(expression.indexOf("*/", at + 2), 2, expression);
  return BEFORE_PATTERN.has(previous) ? endOfEscaped(expression, at, "/") : at;
}

function endOfEscaped(expression: string, open: number, close: string): number {
  for (let at = open + 1; at < expression.length; at++) {
    const char = expression.charAt(at);
    if (char === "\\") at += 1;
    else if (char === close) return at + 1;
  }
  return expression.length;
}

function after(found: number, length: number, expression: string): number {
  return found < 0 ? expression.length : found + length;
}

function endOfMatch(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
