import { expect, test } from "vitest";
import { namedStatements, statementTerms } from "./statements.ts";

test.each([
  ["the cash flow statement", "cashflowstatement"],
  ["the consolidated statements of cash flows", "cashflowstatement"],
  ["the balance sheet", "balancesheet"],
  ["the statement of financial position", "balancesheet"],
  ["the income statement", "incomestatement"],
  ["the statements of operations", "incomestatement"],
  ["the profit and loss account", "incomestatement"],
  ["the P&L statement", "incomestatement"],
  ["the statement of changes in equity", "equitystatement"],
])("a question names %s", (name, statement) => {
  const { statements, rest } = namedStatements(`What were stocks of grain in ${name}?`);
  expect(statements.map(({ term }) => term)).toEqual([statement]);
  expect(rest).toMatch(/^What were stocks of grain in the (?:consolidated )?\s*\?$/);
});

test("a question without the name of a statement stays as it is", () => {
  for (const question of [
    "How much cash flows from operations, and what does the income come from?",
    "Which off-balance sheet arrangements are there?",
  ])
    expect(namedStatements(question)).toEqual({ statements: [], rest: question });
});

test("a chunk is part of a statement by its headings, not by a sentence or an entry of the contents", () => {
  const terms = (text: string, heading?: string): string[] => statementTerms({ text, heading });
  expect(terms("CONSOLIDATED BALANCE SHEETS\nGrain 40 38")).toEqual(["balancesheet"]);
  expect(terms("Grain 40 38", "Accounts > Statements of Operations 2024 2023 > Costs:")).toEqual([
    "incomestatement",
  ]);
  expect(terms("The balance sheet lists grain at cost.", "Policies")).toEqual([]);
  expect(terms("Consolidated Balance Sheets 41\nStatements of Cash Flows 42")).toEqual([]);
  expect(terms("Notes 41", "Accounts > Balance Sheets at May 31, 2024 and 2023 38")).toEqual([]);
});

test.each([
  ["a table of components", "Note 9 – Balance Sheet Components\nGrain 40 38"],
  ["selected data", "Consolidated Balance Sheet Data:\nGrain 40 38"],
  ["off-balance sheet arrangements", "Off-Balance Sheet Arrangements\nLeases 40 38"],
  ["a page without figures", "CONSOLIDATED BALANCE SHEETS\nSee the next page"],
  [
    "a note that names the statement",
    "Lines of the Consolidated and of the Parent Company Balance Sheets\nGrain 40 38",
  ],
])("%s is no part of a statement", (_name, text) => {
  expect(statementTerms({ text })).toEqual([]);
});

test.each([
  "Orchard Inc. Condensed Consolidated Balance Sheets (Unaudited)",
  "CONSOLIDATED BALANCE SHEETS AS OF DECEMBER 31, 2022",
  "Balance Sheet — continued",
])("%s is the title of a statement", (title) => {
  expect(statementTerms({ text: `${title}\nGrain 40 38` })).toEqual(["balancesheet"]);
});

test("headings alone tell the statement that a quote is part of", () => {
  expect(statementTerms({ text: "", heading: "Balance Sheets > Assets" })).toEqual(["balancesheet"]);
});
