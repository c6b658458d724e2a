import type { ByteSource } from "../byte-source.ts";
import type { Reader, ReadLimits } from "../document-content.ts";
import { cleanText } from "../clean-text.ts";
import { type NumberedLine, toLinePages } from "../line-pages.ts";
import type { PageText } from "../page-text.ts";
import { shorten } from "../section-pages.ts";
import { rowWithHeader } from "../table-rows.ts";
import { parseXml, readXml, requireXml } from "../xml.ts";
import type { ZipFile } from "../zip.ts";
import { rowsOf } from "./csv.ts";
import { officeTitle, openArchive, relationshipsOf } from "./office-file.ts";
import { readSheet, type SheetRow } from "./xlsx-sheet.ts";
import { dateStyles, sharedStrings, unescapeText } from "./xlsx-parts.ts";

const WORKBOOK = "xl/workbook.xml";

export const readXlsx: Reader = async (source, limits) => {
  const { zip, sheets, sheetXml, context } = await openWorkbook(source, limits);
  const pages: PageText[] = [];
  for (const { name, part } of sheets) {
    const rows = readSheet(await sheetXml(part), context).map(cleanRow);
    pages.push(...sheetPages(cleanText(name), rows, pages.length + 1));
  }
  return { pages, title: await officeTitle(zip) };
};

/** The sheets, and what their cells refer to. */
export async function openWorkbook(source: ByteSource, limits: ReadLimits) {
  const zip = await openArchive(source, limits);
  const strings = sharedStrings((await readXml(zip, "xl/sharedStrings.xml")) ?? "");
  const dates = dateStyles((await readXml(zip, "xl/styles.xml")) ?? "");
  const { sheets, from1904 } = await workbook(zip);
  return {
    zip,
    sheets,
    sheetXml: async (part: string): Promise<string> => (await readXml(zip, part)) ?? "",
    context: { strings, dates, from1904 },
  };
}

function cleanRow({ number, cells }: SheetRow): SheetRow {
  return { number, cells: cells.map(({ text, isNumber }) => ({ text: cleanText(text), isNumber })) };
}

/** A sheet is one page, a long one several; an empty one too, so that the numbers are those of the workbook. */
function sheetPages(name: string, rows: readonly SheetRow[], firstPage: number): PageText[] {
  const sheet = `sheet ${shorten(name)}`;
  const headings = [{ start: 0, text: name, level: 1 }];
  const pages = toLinePages(
    labelledRows(rows),
    (first, last) => `${sheet}, ${rowsOf(first, last)}`,
    firstPage,
  );
  if (pages.length > 1) return pages.map((page) => ({ ...page, headings }));
  const text = pages[0]?.text ?? "";
  return [{ page: firstPage, width: 0, height: 0, text, runs: [], location: sheet, headings }];
}

/** Rows above the header (a title, a date) are separate lines. */
function* labelledRows(rows: readonly SheetRow[]): Generator<NumberedLine> {
  const at = headerIndex(rows);
  const header = rows[at]?.cells.map(({ text }) => text) ?? [];
  for (const [i, { number, cells }] of rows.entries()) {
    if (i === at) continue;
    const texts = cells.map(({ text }) => text);
    yield { number, text: rowWithHeader(i > at ? header : [], texts) };
  }
}

const SEARCHED_ROWS = 20;

/** The first row of names only that is about as wide as the widest; −1 when there is none. */
function headerIndex(rows: readonly SheetRow[]): number {
  const filled = ({ cells }: SheetRow): number => cells.filter(({ text }) => text !== "").length;
  const first = rows.slice(0, SEARCHED_ROWS);
  const width = Math.max(0, ...first.map(filled));
  if (rows.length < 2 || width < 2) return -1;
  return first.findIndex(
    (row, i) =>
      i < rows.length - 1 &&
      filled(row) >= Math.max(2, width * 0.6) &&
      row.cells.every(({ text, isNumber }) => text === "" || !isNumber),
  );
}

async function workbook(
  zip: ZipFile,
): Promise<{ sheets: { name: string; part: string }[]; from1904: boolean }> {
  const targets = await relationshipsOf(zip, WORKBOOK);
  const sheets: { name: string; part: string }[] = [];
  let from1904 = false;
  parseXml(await requireXml(zip, WORKBOOK), {
    open(element, attributes) {
      if (element === "workbookPr") from1904 = /^(?:1|true)$/.test(attributes["date1904"] ?? "");
      if (element !== "sheet") return;
      const id = Object.entries(attributes).find(([key]) => key.endsWith(":id"))?.[1];
      const target = id === undefined ? undefined : targets.get(id);
      if (target?.type !== "worksheet") return;
      sheets.push({ name: unescapeText(attributes["name"] ?? ""), part: target.target });
    },
  });
  return { sheets, from1904 };
}
