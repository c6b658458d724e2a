import { expect, test } from "vitest";
import { bestQuote, quoteCandidates } from "./quote-candidates.ts";
import { sentencesOf } from "./quote.ts";

function quotesOf(text: string, heading?: string) {
  const spans = [{ page: 3, start: 100, end: 100 + text.length }];
  const chunk = { text, spans, ...(heading !== undefined && { heading }) };
  return quoteCandidates(chunk).map((quote) => {
    // Every quote is a verbatim range of its page.
    expect(text.slice(quote.start - 100, quote.end - 100)).toBe(quote.text);
    expect(quote.text).toContain(sentencesOf(chunk)[quote.sentence]?.text);
    return quote;
  });
}
const texts = (text: string): string[] => quotesOf(text).map((quote) => quote.text);

test("a heading is no quote, and is the context of the sentences below it", () => {
  const quotes = quotesOf(
    "Article 3. Rent\nThe rent is 960 pounds. It is due in advance.\nDear Mrs Fontaine,\nWe pay.",
  );
  expect(quotes.map(({ text, context }) => [text, context])).toEqual([
    ["The rent is 960 pounds.", "Article 3. Rent"],
    ["It is due in advance.", "Article 3. Rent"],
    ["We pay.", "Dear Mrs Fontaine,"],
  ]);
});

test("a line that the file marks as a heading is no quote, whatever it looks like", () => {
  const text = "Halden 40\nDoes it rust?\nWeight 11.4 kg\nIt does not rust.";
  const quotesWith = (headings: number[]): string[] => {
    const spans = [{ page: 1, start: 50, end: 50 + text.length, headings }];
    return quoteCandidates({ text, spans }).map((quote) => quote.text);
  };
  expect(quotesWith([50, 60])).toEqual(["Weight 11.4 kg", "It does not rust."]);
  expect(quotesWith([])).toEqual(text.split("\n"));
});

test("a heading that introduces a list is quoted with an item", () => {
  const text = "We pay for:\n• glass";
  const spans = [{ page: 1, start: 0, end: text.length, headings: [0] }];
  expect(quoteCandidates({ text, spans }).map((quote) => quote.text)).toEqual([text]);
});

test("the headings of the chunk are the context of text before its first heading", () => {
  expect(quotesOf("It lasts 36 months.", "Terms › Guarantee")[0]?.context).toBe("Terms › Guarantee");
});

test("a row of a table is a quote", () => {
  expect(texts("Technical data\nWeight 11.4 kg\nNoise 52 dB")).toEqual(["Weight 11.4 kg", "Noise 52 dB"]);
});

test("rows of a table without figures are quotes, also those that begin like a numbered heading", () => {
  const rows = ["Time Monday Tuesday", "8.15 Maths Art", "9.10 English Art", "10.20 Biology French"];
  expect(texts(["Lessons", ...rows].join("\n"))).toEqual(rows);
  expect(texts("Part 2\nDamage\nGlass\nWe pay for windows.")).toEqual(["We pay for windows."]);
});

test("a run-in title is quoted with the sentence that follows it", () => {
  const title = "Extension of time to file. You get six more months with Form 4868. File it in April.";
  expect(texts(title)).toEqual([
    "Extension of time to file. You get six more months with Form 4868.",
    "Extension of time to file. You get six more months with Form 4868.",
    "File it in April.",
  ]);
});

test("the introduction of a list is quoted with its items, and an item with the introduction", () => {
  const list = "We do not pay for:\n• glass\n• water damage\nCall us first.";
  expect(texts(list)).toEqual([
    "We do not pay for:\n• glass\n• water damage",
    "We do not pay for:\n• glass",
    "We do not pay for:\n• glass\n• water damage",
    "Call us first.",
  ]);
});

test("an introduction is quoted with the first line of code that says something", () => {
  const [quote] = texts(
    'The step waits until a person decides:\n{\n"type": "approval", "message": "Ship it?",\n}',
  );
  expect(quote).toBe('The step waits until a person decides:\n{\n"type": "approval", "message": "Ship it?",');
});

test("a quote has at most 400 characters, unless one sentence is longer", () => {
  const items = Array.from({ length: 40 }, (_, n) => `• thing number ${n} of the long list`);
  const quotes = texts(`We pay for:\n${items.join("\n")}`);
  for (const quote of quotes) expect(quote.length).toBeLessThanOrEqual(400);
  expect(quotes.at(-1)).toBe(items.at(-1));
});

test("a page of headings only is quoted as a whole", () => {
  expect(texts("Annual report\nMunicipal Waterworks")).toEqual(["Annual report\nMunicipal Waterworks"]);
});

test("quotes of a chunk across a page break are on their own pages", () => {
  const chunk = {
    text: "It is closed.\nOpen the valve now, please.",
    spans: [
      { page: 4, start: 10, end: 23 },
      { page: 5, start: 0, end: 27 },
    ],
  };
  expect(quoteCandidates(chunk)).toMatchObject([
    { page: 4, start: 10, end: 23, sentence: 0 },
    { page: 5, start: 0, end: 27, sentence: 1 },
  ]);
});

test("the best quote for a line item is the row that has another name for it", () => {
  const text =
    "Net sales 1,482 1,553\nPurchases of property and equipment (78) (66)\nDividends paid (53) (50)";
  const spans = [{ page: 1, start: 0, end: text.length }];
  const chunk = { documentId: "doc_1", ordinal: 0, chunkId: "chunk_1", title: "Report", text, spans };
  expect(bestQuote(chunk, new Map([["capitalexpenditure", 1]]))?.text).toBe(
    "Purchases of property and equipment (78) (66)",
  );
});
