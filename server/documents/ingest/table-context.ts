import type { Heading, PageText } from "../extract/page-text.ts";

type TextPage = Pick<PageText, "page" | "text">;

/** Below every heading of a text: a table belongs to its section, and a section inside the table to the table. */
const TABLE_LEVEL = 90;
const PART_LEVEL = 91;
const SUBPART_LEVEL = 92;

const MAX_LABEL = 110;
const MAX_HEADER_LINES = 4;
const MAX_CAPTION = 130;

type LineKind = "row" | "header" | "label" | "prose";

interface TextLine {
  kind: LineKind;
  text: string;
  start: number;
  page: number;
}

/** The headings of the tables on one page, and the offsets of all lines that they were made of. */
export interface TableHeadings {
  headings: Heading[];
  lines: Set<number>;
}

/**
 * What a reader looks up above a table row: the caption, the unit and the columns, and the part of the table. As
 * headings, they are indexed with every chunk that starts further down in the table. Found by the text alone, because
 * tables of every format end up as one line per row. A table may go on for several pages.
 */
export function tableHeadings(pages: readonly TextPage[]): Map<number, TableHeadings> {
  const lines = confirmRows(pages.flatMap(linesOf));
  const tables = new Map(
    pages.map(({ page }) => [page, { headings: [], lines: new Set() } as TableHeadings]),
  );
  const add = (level: number, [first, ...more]: readonly TextLine[], text?: string): void => {
    const table = first && tables.get(first.page);
    if (!table) return;
    table.headings.push({
      start: first.start,
      level,
      text:
        text ??
        [first, ...more]
          .map((line) => line.text)
          .join(" ")
          .slice(0, MAX_CAPTION),
    });
    for (const { start } of [first, ...more]) table.lines.add(start);
  };
  let above: TextLine[] = [];
  let inTable = false;
  for (const [i, line] of lines.entries()) {
    if (above[0] && above[0].page !== line.page) above = [];
    if (line.kind === "row") {
      const columns = above.findLastIndex(({ kind }) => kind === "header");
      if (!inTable || columns >= 0) {
        add(TABLE_LEVEL, above.slice(0, inTable ? columns + 1 : undefined).slice(-MAX_HEADER_LINES));
      }
      const parts = inTable ? above.slice(columns + 1) : [];
      for (const part of parts) add(part.text.endsWith(":") ? SUBPART_LEVEL : PART_LEVEL, [part]);
      if (TOTAL.test(line.text)) add(SUBPART_LEVEL, [{ ...line, start: line.start + 1 }], "");
      [inTable, above] = [true, []];
    } else if (isContinued(line, lines[i + 1])) {
      continue;
    } else if (line.kind === "prose") {
      if (inTable) add(TABLE_LEVEL, [line], "");
      [inTable, above] = [false, []];
    } else above.push(line);
  }
  return tables;
}

const TOTAL = /^(?:(?:sub)?total|net cash|summe|gesamt|insgesamt)\b/i;

/** "Accounts receivable, net of" is the first line of a row's label, not a part of the table. */
function isContinued(line: TextLine, next: TextLine | undefined): boolean {
  if (next?.kind !== "row" || line.page !== next.page || /[.!?:]$/.test(line.text)) return false;
  return /^\p{Ll}/u.test(next.text) || (line.kind === "prose" && line.text.length < MAX_LABEL * 2);
}

function linesOf({ page, text }: TextPage): TextLine[] {
  const lines: TextLine[] = [];
  let start = 0;
  for (const line of text.split("\n")) {
    if (line.trim() !== "") lines.push({ kind: kindOf(line), text: line.trim(), start, page });
    start += line.length + 1;
  }
  return lines;
}

const CELL = /^[$€£¥]?[(\-–−+]?[$€£¥]?\.?\d(?:[\d.,]*\d)?\)?%?\)?$|^[—–-]$/u;
const YEAR = /^(?:(?:FY|CY)?['’]?(?:19|20)\d\d[EAPF]?\*?|Q[1-4]|[%$€£])$/i;

const NUMBERED =
  /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|january|february|march|april|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember|note|notes|item|page|section|part|chapter|seite)\.?$/i;

function kindOf(line: string): LineKind {
  // A line of a thousand characters is a paragraph, and cutting it into words costs more than all tables of a page.
  if (line.length > 400) return "prose";
  const words = line.replace(/([($])\s+(?=\d)/g, "$1").split(/\s+/);
  const years = words.filter((word) => YEAR.test(word)).length;
  let cells = 0;
  while (cells < words.length && CELL.test(words.at(-1 - cells) ?? "")) cells += 1;
  // "As of September 30" ends with a date, "see Note 4" with a reference.
  if (cells > 0 && NUMBERED.test(words.at(-1 - cells) ?? "")) cells -= 1;
  if (years >= 2 && years >= cells && line.length <= MAX_LABEL) return "header";
  if (cells > 0 && !/[.!?]$/.test(line)) return "row";
  if (line.length > MAX_LABEL || /[.!?;]$/.test(line)) return "prose";
  // "Years ended September 30," stands above the columns; a longer line that ends with a comma is a sentence.
  return line.endsWith(",") && line.length > 40 ? "prose" : "label";
}

/** A figure at the end of one line is not a table. Two such lines close to each other are. */
function confirmRows(lines: readonly TextLine[]): TextLine[] {
  const isRow = (line: TextLine | undefined): boolean => line?.kind === "row";
  return lines.map((line, i) => {
    if (!isRow(line) || [1, 2, 3, -1, -2, -3].some((step) => isRow(lines[i + step]))) return line;
    return { ...line, kind: "label" };
  });
}
