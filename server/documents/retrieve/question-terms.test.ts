import { expect, test } from "vitest";
import { createMemoryStore } from "../testing/memory-store.ts";
import { readQuestion } from "./question-content.ts";
import { searchQuestionTerms } from "./question-terms.ts";

const scope = { ownerId: "user_a" };

/** The terms that a question has in a document with one chunk per text. */
async function termsIn(texts: readonly string[], question: string): Promise<string[]> {
  return (await searchIn(texts, question)).terms.toSorted();
}

async function searchIn(texts: readonly string[], question: string) {
  const store = createMemoryStore();
  const documentId = "doc_1";
  const chunks = texts.map((text, ordinal) => ({
    documentId,
    ordinal,
    chunkId: `chunk_${ordinal}`,
    title: "Report",
    text,
    spans: [{ page: 1, start: 0, end: text.length }],
  }));
  store.add({ documentId, ownerId: scope.ownerId, pages: [], chunks });
  return searchQuestionTerms(readQuestion(question), scope, 10, store);
}

const CASH_FLOWS = "Statements of Cash Flows\nPurchases of property and equipment (78)";
const ASSETS = "Balance Sheets\nProperty and equipment, net 386";

test("a line item is one term and implies its statement", async () => {
  const terms = await termsIn([CASH_FLOWS, ASSETS], "What was the capital expenditure?");
  expect(terms).toEqual(["capitalexpenditure", "cashflowstatement"]);
});

test("a question that names a statement implies no other", async () => {
  const terms = await termsIn([CASH_FLOWS, ASSETS], "What capex does the balance sheet mention?");
  expect(terms).toEqual(["balancesheet", "capitalexpenditure", "mention"]);
});

test("words count where no document in scope has the line item or the statement", async () => {
  const terms = await termsIn([ASSETS], "Which inventory does the cash flow statement list under PP&E?");
  expect(terms).toContain("fixedassets");
  expect(terms).not.toContain("inventory");
  expect(terms).not.toContain("cashflowstatement");
  expect(terms).toEqual(expect.arrayContaining(["cash", "flow"]));
  expect(await termsIn(["Grain 40"], "How large is the inventory?")).not.toContain("balancesheet");
});

test.each([
  ["What was the capital expenditure?", ["cashflowstatement"]],
  ["What was the fixed asset turnover?", ["balancesheet", "incomestatement"]],
  ["What fixed asset turnover follows from the balance sheet?", ["balancesheet"]],
  ["Why did capital expenditure fall?", []],
  ["What capital expenditure is expected?", []],
  ["Which segment had the largest capital expenditure?", []],
  ["What revenue comes from outside the United States?", []],
  ["What was revenue in each quarter?", []],
  ["What was the effective tax rate?", []],
  ["Is the quick ratio healthy? If it is not relevant, state that and explain why.", ["balancesheet"]],
  ["What is the ratio? It is defined as: capital expenditure / days.", ["cashflowstatement"]],
])("%s is about %j", async (question, statements) => {
  const found = await searchIn([CASH_FLOWS, ASSETS], question);
  expect(found.statements.toSorted()).toEqual(statements);
});

test("the words of instructions are no terms, but the statement that they name is", async () => {
  const question =
    "Assume that you are an analyst. What was the capital expenditure? Give a response from the balance sheet.";
  expect(await termsIn([CASH_FLOWS, ASSETS], question)).toEqual(["balancesheet", "capitalexpenditure"]);
});
