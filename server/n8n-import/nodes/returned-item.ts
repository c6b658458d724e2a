import { scanScript } from "../../../contract/placeholders/script.ts";

/**
 * True for code whose every `return` gives one object, alone or in a list. What else code returns is known only in a run:
 * a list may have any number of items.
 */
export function returnsOneItem(code: string): boolean {
  const ends: number[] = [];
  const braces = new Map<number, number>();
  scanScript(
    code,
    0,
    ({ word, end, previous }) => {
      if (word === "return" && previous !== ".") ends.push(end);
    },
    (start, end) => braces.set(start, end),
  );
  return ends.length > 0 && ends.every((end) => isOneObject(code, end, braces));
}

// White space in only one place of each, or a long run of it would be tried in all of them.
const OPEN = /\s*(?:(\[)\s*)?\{/y;
const CLOSE_LIST = /\s*(?:,\s*)?\]/y;
const END = /[^\S\n]*(?:;|\n|\}|\/\/|$)/y;

/** `braces` has the place after each brace that closes the one at its key. */
function isOneObject(code: string, at: number, braces: ReadonlyMap<number, number>): boolean {
  const open = matchAt(OPEN, code, at);
  if (open === null) return false;
  let end = braces.get(OPEN.lastIndex - 1);
  if (end === undefined) return false;
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
