import type { PageText } from "./page-text.ts";

/** A line of the page's text and the number of the line or row of the file that it is from. */
export interface NumberedLine {
  number: number;
  text: string;
}

/** Two printed pages. A question reads the whole page of each of its quotes. */
export const PAGE_CHARACTERS = 6000;

/** Lines → pages of a sensible size. `locate` names the lines of a page: "lines 1–120". */
export function toLinePages(
  lines: Iterable<NumberedLine>,
  locate: (first: number, last: number) => string,
  firstPage = 1,
): PageText[] {
  const pages: PageText[] = [];
  let open: NumberedLine[] = [];
  let length = 0;
  function close(): void {
    const [first, last] = [open[0], open.at(-1)];
    if (first !== undefined && last !== undefined) {
      const text = open.map((line) => line.text).join("\n");
      const location = locate(first.number, last.number);
      pages.push({ page: firstPage + pages.length, width: 0, height: 0, text, runs: [], location });
    }
    [open, length] = [[], 0];
  }
  for (const { number, text } of lines)
    for (const piece of pieces(text)) {
      if (length + piece.length > PAGE_CHARACTERS) close();
      open.push({ number, text: piece });
      length += piece.length + 1;
    }
  close();
  return pages;
}

/** A line longer than a page is cut at a blank, or anywhere in a text without blanks. */
export function* pieces(line: string): Generator<string> {
  let start = 0;
  while (line.length - start > PAGE_CHARACTERS) {
    // Only in this piece: a search in the whole line takes minutes for a line of 10 MB.
    const blank = line.slice(start, start + PAGE_CHARACTERS).lastIndexOf(" ");
    const end = start + (blank > PAGE_CHARACTERS / 2 ? blank : PAGE_CHARACTERS);
    yield line.slice(start, end).trim();
    start = end;
  }
  const rest = line.slice(start).trim();
  if (rest !== "") yield rest;
}
