import { scanScript } from "../../../contract/placeholders/script.ts";

/**
 * True for code whose every `return` gives one object, alone or in a list. What else code returns is known only in a run:
 * a list may have any number of items.
 */
export function returnsOneItem(code: string): boolean {
  const ends: number[] = [];
  scanScript(code, 0, ({ word, end, previous }) => {
    if (word === "return" && previous !== ".") ends.push(end);
  });
  return ends.length > 0 && ends.every((end) => isOneObject(code, end));
}

const OPEN = /\s*(\[?)\s*\{/y;
const CLOSE_LIST = /\s*,?\s*\]/y;
const END = /[^\S\n]*(?:;|\n|\}|\/\/|$)/y;

function isOneObject(code: string, at: number): boolean {
  const open = matchAt(OPEN, code, at);
  if (open === null) return false;
  let end = endOfBraces(code, OPEN.lastIndex);
  if (end < 0) return false;
  if (open[1] === "[") {
    if (matchAt(CLOSE_LIST, code, end) === null) return false;
    end = CLOSE_LIST.lastIndex;
  }
  return matchAt(END, code, end) !== null;
}

function matchAt(pattern: RegExp, code: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(code);
}

const TOKEN =
  /[{}]|\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'|`(?:[^`\\]|\\[\s\S])*`/g;

/** The place after the brace that closes the one before `at`; -1 without one. */
function endOfBraces(code: string, at: number): number {
  let depth = 1;
  TOKEN.lastIndex = at;
  for (let found = TOKEN.exec(code); found !== null; found = TOKEN.exec(code)) {
    if (found[0] === "{") depth += 1;
    else if (found[0] === "}") depth -= 1;
    if (depth === 0) return TOKEN.lastIndex;
  }
  return -1;
}
