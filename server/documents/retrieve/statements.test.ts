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
  const question = "How much cash flows from operations, and what does the income come from?";
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
});
