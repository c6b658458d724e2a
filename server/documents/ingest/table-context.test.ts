import { expect, test } from "vitest";
import { chunkPages } from "./chunk.ts";
import { createHeadingPath } from "./heading-path.ts";

const income = `Consolidated statements of income
(In thousands, except per share amounts)
Years ended September 30,
2022 2021
Operating revenues $87,882 81,268
Cost of operations:
Fuel expenses 13,288 9,630
Gain on sale of terminal sites (8,330) (1,614)
Reclassification of gains that were realized in
net income — (5)
Total cost of operations 78,583 80,388
Interest expense (18) (27)
The accompanying notes are a part of these statements.
Revenue grew because of higher rates.`;

/** The headings above the line that begins with `text`. */
function above(text: string, ...pages: string[]): string {
  const page = pages.findIndex((page) => page.includes(`\n${text}`));
  const path = createHeadingPath(pages.map((text, i) => ({ page: i + 1, text })));
  return path({ page: page + 1, start: pages[page]!.indexOf(`\n${text}`) + 1 });
}

test("a row is found by its caption, unit, columns and the part of the table that it is in", () => {
  const caption =
    "Consolidated statements of income (In thousands, except per share amounts) Years ended September 30, 2022 2021";
  expect(above("Operating revenues", income)).toBe(caption);
  expect(above("Gain on sale", income)).toBe(`${caption} > Cost of operations:`);
  expect(above("Total cost", income)).toBe(`${caption} > Cost of operations:`);
});

test("a total ends its part of the table, and prose ends the table", () => {
  expect(above("Interest expense", income)).toBe(
    "Consolidated statements of income (In thousands, except per share amounts) Years ended September 30, 2022 2021",
  );
  expect(above("Revenue grew", income)).toBe("");
});

test("a table goes on after a page break, and a new header begins another table", () => {
  const next = `Proceeds of sales 10,909 3,083\nDividends paid (12,808) (10,132)\nBalance sheet\n2022 2021\nCash 8,302 10,899\nGoodwill 3,637 3,637`;
  const first = "Cash flows\n2022 2021\nNet income 7,190 625\nDepreciation 6,106 7,202";
  expect(above("Dividends paid", first, next)).toBe("Cash flows 2022 2021");
  expect(above("Goodwill", first, next)).toBe("Balance sheet 2022 2021");
});

test("a part of a table that is set like a heading does not end the table", () => {
  const start = income.indexOf("Cost of operations:");
  const path = createHeadingPath([
    {
      page: 1,
      text: income,
      headings: [
        { start: 0, text: "Consolidated statements of income", level: 2 },
        { start, text: "Cost of operations:", level: 6 },
      ],
    },
  ]);
  expect(path({ page: 1, start: income.indexOf("Fuel") })).toBe(
    "Consolidated statements of income (In thousands, except per share amounts) Years ended September 30, 2022 2021 > Cost of operations:",
  );
});

test("a date or a figure at the end of one line is no table", () => {
  const text =
    "The lease began on March 3\nIt is described in Note 4\nThe house has a floor of 90\nAnd a cellar\nThat is all there is to say.";
  expect(above("And a cellar", text)).toBe("");
});

test("the text of a chunk stays verbatim", () => {
  const chunks = chunkPages([{ page: 1, text: income }], (text) => text.split(/\s+/).length, {
    maxWordPieces: 16,
    overlapWordPieces: 0,
  });
  expect(chunks.map(({ text }) => text).join("\n")).toBe(income);
  expect(chunks.find(({ text }) => text.includes("Fuel"))?.heading).toContain("2022 2021");
});
