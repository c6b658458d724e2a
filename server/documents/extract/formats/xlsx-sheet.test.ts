import { expect, test } from "vitest";
import { dateStyles, sharedStrings } from "./xlsx-parts.ts";
import { readSheet } from "./xlsx-sheet.ts";

const formats = ["[h]:mm", "[hh]:mm:ss", "hh:mm:ss", "[Red]0.0", "dd.mm.yyyy", '"[h]" 0', "[mm]:ss"];
const styles = `<styleSheet><numFmts>${formats
  .map((code, i) => `<numFmt numFmtId="${164 + i}" formatCode="${code.replaceAll('"', "&quot;")}"/>`)
  .join(
    "",
  )}</numFmts><cellXfs>${[...formats.keys()].map((i) => `<xf numFmtId="${164 + i}"/>`).join("")}<xf numFmtId="46"/></cellXfs></styleSheet>`;

function textOf(days: number, style: number, from1904 = false): string | undefined {
  const xml = `<worksheet><sheetData><row r="1"><c r="A1" s="${style}"><v>${days}</v></c></row></sheetData></worksheet>`;
  return readSheet(xml, { strings: [], dates: dateStyles(styles), from1904 })[0]?.cells[0]?.text;
}

test("a duration counts its hours beyond a day", () => {
  expect([0, 1, 6, 7].map((style) => textOf(1.25, style))).toEqual(["30:00", "30:00", "30:00", "30:00"]);
  expect(textOf(1.5 + 7 / 86_400, 1)).toBe("36:00:07");
  expect(textOf(-0.0625, 0)).toBe("-01:30");
});

test("times, dates and numbers are no durations", () => {
  expect([2, 3, 4, 5].map((style) => textOf(1.25, style))).toEqual(["06:00", "1.25", "1900-01-01", "1.25"]);
});

test("dates before March 1900 follow the calendar of Excel, which has a 29 February 1900", () => {
  expect([1, 31, 59, 60, 61].map((days) => textOf(days, 4))).toEqual([
    "1900-01-01",
    "1900-01-31",
    "1900-02-28",
    "1900-02-28",
    "1900-03-01",
  ]);
  expect([1, 59, 61].map((days) => textOf(days, 4, true))).toEqual([
    "1904-01-02",
    "1904-02-29",
    "1904-03-02",
  ]);
  // Other programs write days before 1900 as negative numbers, counted from 30 December 1899.
  expect([0, -1].map((days) => textOf(days, 4))).toEqual(["1899-12-30", "1899-12-29"]);
});

test("characters that Excel escapes are read", () => {
  expect(sharedStrings("<sst><si><t>a_x000D_\nb _x005F_x0041_ _x12_</t></si></sst>")).toEqual([
    "a\r\nb _x0041_ _x12_",
  ]);
});
