import { expect, test } from "vitest";
import { dateStyles, sharedStrings } from "./xlsx-parts.ts";
import { readSheet } from "./xlsx-sheet.ts";

const formats = ["[h]:mm", "[hh]:mm:ss", "hh:mm:ss", "[Red]0.0", "dd.mm.yyyy", '"[h]" 0', "[mm]:ss"];
const styles = `<styleSheet><numFmts>${formats
  .map((code, i) => `<numFmt numFmtId="${164 + i}" formatCode="${code.replaceAll('"', "&quot;")}"/>`)
  .join(
    "",
  )}</numFmts><cellXfs>${[...formats.keys()].map((i) => `<xf numFmtId="${164 + i}"/>`).join("")}<xf numFmtId="46"/></cellXfs></styleSheet>`;

function textOf(days: number, style: number): string | undefined {
  const xml = `<worksheet><sheetData><row r="1"><c r="A1" s="${style}"><v>${days}</v></c></row></sheetData></worksheet>`;
  return readSheet(xml, { strings: [], dates: dateStyles(styles), from1904: false })[0]?.cells[0]?.text;
}

test("a duration counts its hours beyond a day", () => {
  expect([0, 1, 6, 7].map((style) => textOf(1.25, style))).toEqual(["30:00", "30:00", "30:00", "30:00"]);
  expect(textOf(1.5 + 7 / 86_400, 1)).toBe("36:00:07");
  expect(textOf(-0.0625, 0)).toBe("-01:30");
});

test("times, dates and numbers are no durations", () => {
  expect([2, 3, 4, 5].map((style) => textOf(1.25, style))).toEqual(["06:00", "1.25", "1899-12-31", "1.25"]);
});

test("characters that Excel escapes are read", () => {
  expect(sharedStrings("<sst><si><t>a_x000D_\nb _x005F_x0041_ _x12_</t></si></sst>")).toEqual([
    "a\r\nb _x0041_ _x12_",
  ]);
});
