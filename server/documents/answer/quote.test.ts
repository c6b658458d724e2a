import { expect, test } from "vitest";
import { createMemoryStore } from "../testing/memory-store.ts";
import { sentencesOf, toSources } from "./quote.ts";
import { bestQuote } from "./quote-candidates.ts";

const chunk = {
  documentId: "doc_1",
  ordinal: 0,
  chunkId: "chunk_1",
  title: "Manual",
  text: "It is closed.\nOpen the valve. Wait a minute.",
  spans: [
    { page: 4, start: 10, end: 23 },
    { page: 5, start: 0, end: 30 },
  ],
};
const scope = { ownerId: "user_a" };
const passage = { chunk, relevance: 0.71234, cosine: 0, sentenceCosines: [], sentenceCosine: 0 };

function storeWith(pageFive: string): ReturnType<typeof createMemoryStore> {
  const store = createMemoryStore();
  const runs = [
    { start: 0, end: 15, box: { x: 50, y: 100, width: 150, height: 10 } },
    { start: 16, end: 30, box: { x: 50, y: 120, width: 140, height: 10 } },
  ];
  store.add({
    ownerId: "user_a",
    documentId: "doc_1",
    pages: [{ page: 5, width: 595, height: 842, text: pageFive, runs }],
    chunks: [chunk],
  });
  return store;
}

test("the sentences of a chunk across a page break have their own pages", () => {
  expect(sentencesOf(chunk)).toEqual([
    { page: 4, start: 10, end: 23, text: "It is closed." },
    { page: 5, start: 0, end: 15, text: "Open the valve." },
    { page: 5, start: 16, end: 30, text: "Wait a minute." },
  ]);
});

test("a source carries the quote, its offsets and its box on the page", async () => {
  const quote = bestQuote(chunk, new Map([["minut", 1]]))!;
  const [source] = await toSources([{ passage, quote }], scope, storeWith("Open the valve. Wait a minute."));
  expect(source).toEqual({
    chunkId: "chunk_1",
    documentId: "doc_1",
    title: "Manual",
    page: 5,
    relevance: 0.712,
    quote: "Wait a minute.",
    start: 16,
    end: 30,
    boxes: [{ x: 50, y: 120, width: 140, height: 10 }],
    highlights: [],
  });
});

test("a quote that its page does not contain verbatim, or from another user's page, is no source", async () => {
  const quote = sentencesOf(chunk)[1]!;
  expect(await toSources([{ passage, quote }], scope, storeWith("Shut the valve. Wait a minute."))).toEqual(
    [],
  );
  const store = storeWith("Open the valve. Wait a minute.");
  expect(await toSources([{ passage, quote }], { ownerId: "user_b" }, store)).toEqual([]);
});
