import { expect, test } from "vitest";
import { wordVectors } from "../testing/word-vectors.ts";
import { rankQuotes } from "./rank-quotes.ts";

/** The quotes of one passage for a question whose words weigh the same and whose meaning is equally near to all. */
async function ranked(question: string, text: string, words: readonly string[] = []): Promise<string[]> {
  const spans = [{ page: 1, start: 0, end: text.length }];
  const chunk = { documentId: "doc_1", ordinal: 0, chunkId: "chunk_1", title: "Halden manual", text, spans };
  const sentenceCosines = Array<number>(20)
    .fill(0.5)
    .slice(0, text.split(/(?<=\.)\s|\n/).length);
  const passage = { chunk, relevance: 0.5, cosine: 0.5, sentenceCosine: 0.5, sentenceCosines };
  const weights = new Map(words.map((word) => [word, 1]));
  const analysed = {
    text: question,
    vector: new Float32Array(128),
    weights,
    vectorTrust: 1,
    unknownNames: [],
  };
  return (await rankQuotes([passage], analysed, wordVectors)).map(({ quote }) => quote.text);
}

test.each([
  ["When was it tested?", "It was tested in 1998 by a laboratory."],
  ["Wer hat es geprüft?", "It was tested by Dr Amira Haddad."],
  ["How many were tested?", "It was tested with 240 others."],
  ["Where was it tested?", "It was tested in the hall at Cemaes."],
])("%s ranks a quote with an answer of that kind first", async (question, expected) => {
  const text =
    "It was tested with care. It was tested in 1998 by a laboratory. It was tested by Dr Amira Haddad. It was tested with 240 others. It was tested in the hall at Cemaes.";
  expect((await ranked(question, text))[0]).toBe(expected);
});

test("words of the heading count half, and words of the title not at all", async () => {
  const text =
    "Repair\nSend the lid of the Halden to us.\nCleaning\nWipe the lid with a cloth.\nThe cloth needs cleaning too.";
  expect(await ranked("Halden cleaning", text, ["halden", "clean"])).toEqual([
    "The cloth needs cleaning too.",
    "Wipe the lid with a cloth.",
    "Send the lid of the Halden to us.",
  ]);
});

test("a row that has another name for the line item of the question ranks first", async () => {
  const text = "Net sales 1,482 1,553\nProperty, plant and equipment, net 386 371\nGoodwill 455 468";
  expect((await ranked("What is PP&E?", text, ["fixedassets"]))[0]).toBe(
    "Property, plant and equipment, net 386 371",
  );
});

test("a row under the heading of the statement that the question asks for ranks first", async () => {
  const text = "Outlook\nWe expect 500 in dividends.\nStatement of Cash Flows\nWe paid 53 in dividends.";
  expect((await ranked("What does it list?", text, ["cashflowstatement"]))[0]).toBe(
    "We paid 53 in dividends.",
  );
});
