import { expect, test } from "vitest";
import { lineItemTerms, namedLineItems } from "./line-items.ts";

test.each([
  ["capitalexpenditure", "capital expenditure", "Purchases of property, plant and equipment (497)"],
  ["capitalexpenditure", "capex", "Additions to property and equipment (156,208)"],
  ["operatingcashflow", "operating cash flow", "Net cash provided by operating activities 588"],
  ["operatingcashflow", "free cash flow", "Cash provided by (used in) operations 588"],
  ["depreciationandamortization", "D&A", "Depreciation, depletion and amortization 371"],
  ["sharerepurchase", "share buybacks", "Repurchases of common stock (118,466)"],
  ["dividendpayment", "dividends paid", "Payment of dividends (74,219)"],
  ["sharecompensation", "stock-based compensation", "Share-based compensation 29"],
  ["costofsales", "COGS", "Cost of products sold 6,652"],
  ["grossprofit", "gross margin", "Gross profit 1,491"],
  ["sellingandadministrative", "SG&A", "Selling, general and administrative 829,751"],
  ["researchanddevelopment", "R&D", "Research and development 64"],
  ["operatingprofit", "operating income", "Operating profit 197,947"],
  ["earningspershare", "EPS", "Earnings per share, diluted 2.10"],
  ["netincome", "net income", "Net earnings 131,880"],
  ["revenue", "revenue", "Net sales 8,143"],
  ["receivables", "accounts receivable", "Trade receivables, net 1,104"],
  ["payables", "accounts payable", "Payable to suppliers 1,189"],
  ["inventory", "inventory", "Merchandise inventories 561,740"],
  ["fixedassets", "PP&E", "Property and equipment, net 498,215"],
  ["workingcapital", "current ratio", "Total current liabilities 702,208"],
])("%s: a question says %s, a report %s", (term, asked, row) => {
  const { items, rest } = namedLineItems(`How high is the ${asked} of 2022?`);
  expect(items).toEqual([expect.objectContaining({ term, words: asked })]);
  expect(rest).toBe("How high is the   of 2022?");
  expect(lineItemTerms(`Some row 3\n${row}`)).toEqual([term]);
});

test("deferred or unearned revenue is no revenue", () => {
  expect(lineItemTerms("Deferred revenue 12\nUnearned revenue 9")).toEqual([]);
});

test("a name across a line break is found", () => {
  expect(lineItemTerms("Purchases of\nproperty, plant and equipment")).toEqual(["capitalexpenditure"]);
});

test("everyday words name no line item", () => {
  for (const text of [
    "Sales start at nine, and the income of a tenant is not asked for.",
    "The property must be returned clean; equipment is lent for a fee.",
    "You can pay in cash, share a room or buy back a ticket.",
  ])
    expect(lineItemTerms(text)).toEqual([]);
});
