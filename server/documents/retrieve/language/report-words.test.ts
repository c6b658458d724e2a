import { expect, test } from "vitest";
import { termsOf } from "../terms.ts";

const sameTerms: [asked: string, written: string][] = [
  ["FY2023", "2023"],
  ["FY 2023", "2023"],
  ["fy23", "2023"],
  ["FY'23", "2023"],
  ["CY2022", "2022"],
  ["Q3 2023", "third quarter 2023"],
  ["Q3 FY2023", "third quarter 2023"],
  ["3Q23", "third quarter 2023"],
  ["q1'24", "first quarter 2024"],
  ["4th quarter", "fourth quarter"],
  ["H1 2023", "first half 2023"],
  ["2H24", "second half 2024"],
  ["R&D", "research and development"],
  ["SG&A", "selling, general and administrative"],
  ["net PP&E", "net property, plant and equipment"],
  ["COGS", "cost of goods sold"],
  ["Capex", "capital expenditure"],
];

test.each(sameTerms)("“%s” and “%s” are the same terms", (asked, written) => {
  expect(termsOf(asked)).toEqual(termsOf(written));
});

test.each(["a run of 1h30", "heading h2", "the 2nd floor", "BQ4 is a code", "hydrogen H2 40 bar", "AT&T"])(
  "“%s” is no period",
  (text) => {
    const words = termsOf(text).join(" ");
    expect(words).not.toMatch(/\b(?:first|second|fourth|half|quarter|20\d\d)\b/);
  },
);
