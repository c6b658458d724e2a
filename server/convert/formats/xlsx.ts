import { createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { Readable } from "node:stream";
import { ZipFile } from "yazl";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { bytesOnDisk } from "../../documents/extract/byte-source.ts";
import { cleanText } from "../../documents/extract/clean-text.ts";
import { openWorkbook } from "../../documents/extract/formats/xlsx.ts";
import { readSheet, type SheetCell } from "../../documents/extract/formats/xlsx-sheet.ts";
import { AppError } from "../../lib/errors.ts";
import type { ConvertOptions } from "../convert-job.ts";
import { columnNames, createRowList, rowOf } from "../row-list.ts";
import { type Cell, toTable } from "../table.ts";
import { cannotWrite, unreadableFile } from "../unreadable-file.ts";
import type { ValuePiece } from "../value-pieces.ts";

/** One sheet may inflate to this, which takes a few times as much while it is read. */
const MAX_PART_BYTES = 64 * 1024 * 1024;
const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;

/** The reader of documents: its archive and its XML are limited in size and depth, and formulas give their stored value. */
export async function readXlsx(
  path: string,
  { sheet, header }: ConvertOptions,
  maxValueBytes: number,
): Promise<ValuePiece[]> {
  const handle = await open(path, "r");
  try {
    const { size } = await handle.stat();
    const { sheets, sheetXml, context } = await openWorkbook(bytesOnDisk(handle, size), {
      maxPages: 0,
      maxStreamBytes: MAX_PART_BYTES,
    }).catch(asUnreadable);
    const chosen =
      sheet === undefined || sheet === "" ? sheets[0] : sheets.find(({ name }) => name === sheet);
    if (chosen === undefined)
      throw unreadableFile(
        sheets.length === 0
          ? "it has no sheets"
          : `it has no sheet ${JSON.stringify(sheet)}; its sheets are ${sheets.map(({ name }) => JSON.stringify(name)).join(", ")}`,
      );
    const rows = createRowList(maxValueBytes);
    let names: string[] | undefined;
    for (const { cells } of readSheet(await sheetXml(chosen.part).catch(asUnreadable), context)) {
      if (!header) rows.add(cells.map(valueOf));
      else if (names === undefined) names = columnNames(cells.map(({ text }) => cleanText(text)));
      else rows.add(rowOf(names, cells.map(valueOf)));
    }
    return rows.pieces();
  } finally {
    await handle.close();
  }
}

function asUnreadable(error: unknown): never {
  throw error instanceof AppError && error.code === "unreadable_document"
    ? new AppError("unreadable_file", error.message, { cause: error })
    : error;
}

function valueOf({ text, isNumber }: SheetCell): JsonValue {
  if (!isNumber) return text;
  if (text === "TRUE" || text === "FALSE") return text === "TRUE";
  const number = Number(text);
  return text !== "" && Number.isFinite(number) ? number : text;
}

const HEAD = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n`;
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";

/** One sheet. Text is stored as text, never as a formula, unless formulas are allowed. */
export async function writeXlsx(
  value: JsonValue,
  { sheet, header, allowFormulas }: ConvertOptions,
  targetPath: string,
): Promise<void> {
  const { names, rows } = toTable(value, header);
  const all = names === undefined ? rows : [names, ...rows];
  if (all.length > MAX_ROWS) throw cannotWrite(`has ${all.length} rows; a sheet holds ${MAX_ROWS}`);
  if (all.some((row) => row.length > MAX_COLUMNS)) throw cannotWrite(`has more than ${MAX_COLUMNS} columns`);
  const zip = new ZipFile();
  const add = (name: string, xml: string): void => zip.addBuffer(Buffer.from(HEAD + xml), name);
  add(
    "[Content_Types].xml",
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
  );
  add("_rels/.rels", relationship("officeDocument", "xl/workbook.xml"));
  const sheetName = escapeXml((sheet || "Sheet1").replaceAll(/[\\/?*[\]:]/g, " ").slice(0, 31));
  add(
    "xl/workbook.xml",
    `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="${sheetName}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  );
  add("xl/_rels/workbook.xml.rels", relationship("worksheet", "worksheets/sheet1.xml"));
  zip.addReadStream(Readable.from(sheetXml(all, allowFormulas)), "xl/worksheets/sheet1.xml");
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(targetPath, { mode: 0o600, flags: "wx" }));
}

function relationship(type: string, target: string): string {
  return `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/${type}" Target="${target}"/></Relationships>`;
}

function* sheetXml(rows: readonly (readonly Cell[])[], allowFormulas: boolean): Generator<Buffer> {
  yield Buffer.from(`${HEAD}<worksheet xmlns="${MAIN}"><sheetData>`);
  for (const [index, row] of rows.entries()) {
    const cells = row.map((cell, column) =>
      cellXml(cell, `${columnName(column)}${index + 1}`, allowFormulas),
    );
    yield Buffer.from(`<row r="${index + 1}">${cells.join("")}</row>`);
  }
  yield Buffer.from("</sheetData></worksheet>");
}

function cellXml(cell: Cell, reference: string, allowFormulas: boolean): string {
  if (cell === null || cell === "") return "";
  if (typeof cell === "number") return `<c r="${reference}"><v>${cell}</v></c>`;
  if (typeof cell === "boolean") return `<c r="${reference}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  if (allowFormulas && cell.startsWith("="))
    return `<c r="${reference}"><f>${escapeXml(cell.slice(1))}</f></c>`;
  return `<c r="${reference}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(cell)}</t></is></c>`;
}

/** 27 → "AB". */
function columnName(index: number): string {
  return (index >= 26 ? columnName(Math.floor(index / 26) - 1) : "") + String.fromCharCode(65 + (index % 26));
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Characters that XML does not allow are left out. Excel would read `_x0041_` as the letter A. */
function escapeXml(text: string): string {
  return text
    .replaceAll(/_x(?=[\da-f]{4}_)/gi, "_x005F_x")
    .replaceAll(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "")
    .replaceAll(/[&<>"]/g, (char) => ESCAPES[char]!);
}
