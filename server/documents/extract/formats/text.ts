import { cleanText } from "../clean-text.ts";
import { decodeText } from "../decode-text.ts";
import { allBytes, type Reader } from "../document-content.ts";
import { type NumberedLine, toLinePages } from "../line-pages.ts";

/** Lines that end in a full stop or a short line end a paragraph; others are joined, because editors wrap them. */
const WRAPPED_CHARACTERS = 50;

export const readText: Reader = async (source) => {
  const text = decodeText(await allBytes(source));
  return { pages: toLinePages(paragraphs(text), linesOf), title: undefined };
};

export function linesOf(first: number, last: number): string {
  return first === last ? `line ${first}` : `lines ${first}–${last}`;
}

export function* paragraphs(text: string): Generator<NumberedLine> {
  let open: NumberedLine | undefined;
  let number = 0;
  for (const raw of text.split(/\r\n|[\n\r\f\u2028]/)) {
    number += 1;
    const line = cleanText(raw);
    if (open !== undefined && line !== "" && isContinued(open.text, line)) open.text += ` ${line}`;
    else {
      if (open !== undefined) yield open;
      open = line === "" ? undefined : { number, text: line };
    }
    if (open !== undefined && line.length < WRAPPED_CHARACTERS) {
      yield open;
      open = undefined;
    }
  }
  if (open !== undefined) yield open;
}

/** A list item or an indented heading begins a new line. */
function isContinued(before: string, line: string): boolean {
  return !/[.:!?;]["”’)]?$/.test(before) && !/^(?:[-*•–]|\d{1,3}[.)])\s/.test(line);
}
