import { parseXml } from "../xml.ts";
import { type DateStyle, unescapeText } from "./xlsx-parts.ts";

export interface SheetCell {
  /** As the file has it, except for blanks around it. */
  text: string;
  isNumber: boolean;
}

export interface SheetRow {
  /** As the program shows it, counted from 1. */
  number: number;
  cells: SheetCell[];
}

export interface SheetContext {
  strings: readonly string[];
  dates: ReadonlyMap<number, DateStyle>;
  from1904: boolean;
}

/** The widest sheet that the program allows. A reference beyond it is broken and must not fill memory. */
const MAX_COLUMNS = 16_384;

/** The rows with content. Of a formula, the value that the program stored with it. */
export function readSheet(xml: string, context: SheetContext): SheetRow[] {
  const rows: SheetRow[] = [];
  let row: SheetRow = { number: 0, cells: [] };
  let type = "";
  let style = 0;
  let column = 0;
  let value = "";
  let inValue = false;
  parseXml(xml, {
    open(name, attributes) {
      if (name === "row") row = { number: Number(attributes["r"]) || row.number + 1, cells: [] };
      if (name === "c") {
        type = attributes["t"] ?? "n";
        style = Number(attributes["s"] ?? 0);
        column = columnOf(attributes["r"]) ?? row.cells.length;
        value = "";
      }
      if (name === "v" || name === "t") inValue = true;
    },
    text(text) {
      if (inValue) value += text;
    },
    close(name) {
      if (name === "v" || name === "t") inValue = false;
      if (name === "c" && value !== "" && column < MAX_COLUMNS) {
        while (row.cells.length < column) row.cells.push({ text: "", isNumber: false });
        row.cells[column] = toCell(value, type, context, style);
      }
      if (name === "row" && row.cells.length > 0) rows.push(row);
    },
  });
  return rows;
}

/** "AB12" → 27. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? "")?.[0];
  if (letters === undefined) return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function toCell(value: string, type: string, context: SheetContext, style: number): SheetCell {
  if (type === "s") return { text: (context.strings[Number(value)] ?? "").trim(), isNumber: false };
  if (type === "b") return { text: value === "1" ? "TRUE" : "FALSE", isNumber: true };
  if (type !== "n") return { text: unescapeText(value).trim(), isNumber: false };
  const date = context.dates.get(style);
  const number = Number(value);
  if (date === undefined || !Number.isFinite(number)) return { text: plainNumber(value), isNumber: true };
  return { text: dateText(number, date, context.from1904), isNumber: true };
}

/** Binary fractions have digits that no program shows: 0.30000000000000004. */
function plainNumber(value: string): string {
  const number = Number(value);
  return Number.isFinite(number) && value.length > 15 ? String(Number(number.toPrecision(15))) : value.trim();
}

const DAY_MS = 86_400_000;

function dateText(days: number, style: DateStyle, from1904: boolean): string {
  if (style === "duration") return durationText(Math.round(days * 86_400));
  // Excel counts a 29 February 1900, which did not exist: day 0 is one day later for the dates before it.
  const isBeforeLeapDay = days >= 1 && days < 60;
  const start = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, isBeforeLeapDay ? 31 : 30);
  const time = new Date(start + Math.round(days * 86_400) * 1000);
  if (Number.isNaN(time.getTime()) || Math.abs(days * DAY_MS) > 8e15) return String(days);
  const [date = "", clock = ""] = time.toISOString().split("T");
  const minutes = clock.slice(0, clock.slice(6, 8) === "00" ? 5 : 8);
  return style === "date" ? date : style === "time" ? minutes : `${date} ${minutes}`;
}

/** "36:00", or "36:00:07" with seconds. */
function durationText(seconds: number): string {
  const parts = [Math.floor(Math.abs(seconds) / 3600), Math.floor(Math.abs(seconds) / 60) % 60];
  if (seconds % 60 !== 0) parts.push(Math.abs(seconds) % 60);
  return `${seconds < 0 ? "-" : ""}${parts.map((part) => String(part).padStart(2, "0")).join(":")}`;
}
