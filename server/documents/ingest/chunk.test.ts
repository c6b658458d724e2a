import fc from "fast-check";
import { expect, test } from "vitest";
import type { Heading } from "../extract/page-text.ts";
import { chunkPages } from "./chunk.ts";

const countWords = (text: string): number => text.split(/\s+/).filter(Boolean).length;
const options = { maxWordPieces: 20, overlapWordPieces: 6 };

test("sentences are packed up to the limit, and adjacent chunks overlap by whole sentences", () => {
  const text =
    "One two three four five six. Seven eight nine ten eleven. Twelve thirteen fourteen fifteen sixteen. Seventeen eighteen nineteen twenty more.";
  const chunks = chunkPages([{ page: 3, text }], countWords, options);
  expect(chunks.map((chunk) => chunk.text)).toEqual([
    "One two three four five six. Seven eight nine ten eleven. Twelve thirteen fourteen fifteen sixteen.",
    "Twelve thirteen fourteen fifteen sixteen. Seventeen eighteen nineteen twenty more.",
  ]);
  expect(chunks.map((chunk) => chunk.spans[0]?.page)).toEqual([3, 3]);
});

test("a chunk across a page break has a span on both pages", () => {
  const pages = [
    { page: 1, text: "The end of one page." },
    { page: 2, text: "The start of the next." },
  ];
  const [chunk] = chunkPages(pages, countWords, options);
  expect(chunk?.spans).toEqual([
    { page: 1, start: 0, end: 20 },
    { page: 2, start: 0, end: 22 },
  ]);
});

test("in long pages, a heading at the top of a page starts a chunk without overlap", () => {
  const heading = (start: number): Heading[] => [{ start, level: 1, text: "Balance sheet" }];
  const sentences = (length: number): string => "One two three four five six. ".repeat(length).trim();
  const pagesOf = (first: number, headings: Heading[], second = 20): number[][] =>
    chunkPages(
      [
        { page: 1, text: sentences(first) },
        { page: 2, text: `Corvane\nBalance sheet\n${sentences(second)}`, headings },
      ],
      countWords,
      options,
    ).map(({ spans }) => spans.map(({ page }) => page));
  expect(pagesOf(10, heading(8))).not.toContainEqual([1, 2]);
  // The heading starts one chunk, and not one for each sentence of its page.
  expect(pagesOf(10, heading(8))).toHaveLength(pagesOf(10, heading(130)).length);
  expect(pagesOf(10, heading(130))).toContainEqual([1, 2]);
  expect(pagesOf(4, heading(8), 1)).toContainEqual([1, 2]);
});

test("text without a full stop is split at words", () => {
  const text = Array.from({ length: 95 }, (_, i) => `word${i}`).join(" ");
  const chunks = chunkPages([{ page: 1, text }], countWords, options);
  expect(chunks.every((chunk) => chunk.wordPieces <= 20)).toBe(true);
  expect(chunks.at(-1)?.text.endsWith("word94")).toBe(true);
});

test("for any pages, no word is lost, no chunk is too long, and spans are verbatim", () => {
  const sentence = fc
    .array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1, maxLength: 40 })
    .map((words) => `${words.join(" ")}.`);
  const page = fc.array(sentence, { maxLength: 8 }).map((sentences) => sentences.join(" "));
  fc.assert(
    fc.property(fc.array(page, { maxLength: 6 }), (texts) => {
      const pages = texts.map((text, i) => ({ page: i + 1, text }));
      const chunks = chunkPages(pages, countWords, options);
      const words = new Set(chunks.flatMap((chunk) => chunk.text.split(/\s+/)));
      for (const text of texts)
        for (const word of text.split(/\s+/).filter(Boolean)) expect(words).toContain(word);
      for (const [i, chunk] of chunks.entries()) {
        expect(chunk.ordinal).toBe(i);
        expect(countWords(chunk.text)).toBeLessThanOrEqual(options.maxWordPieces);
        expect(chunk.spans.map((span) => texts[span.page - 1]?.slice(span.start, span.end)).join("\n")).toBe(
          chunk.text,
        );
      }
    }),
  );
});

test("a chunk carries the headings above it, not those inside it", () => {
  const second =
    "Repairs\nSix seven eight nine.\nTen eleven twelve thirteen fourteen.\nDelivery\nFifteen sixteen.";
  const pages = [
    {
      page: 1,
      text: "Warranty\nOne two three four five.",
      headings: [{ start: 0, text: "Warranty", level: 1 }],
    },
    {
      page: 2,
      text: second,
      headings: [
        { start: 0, text: "Repairs", level: 2 },
        { start: second.indexOf("Delivery"), text: "Delivery", level: 1 },
      ],
    },
  ];
  const chunks = chunkPages(pages, countWords, { maxWordPieces: 6, overlapWordPieces: 0 });
  expect(chunks.map(({ text, heading }) => [text.split(/\s/)[0], heading])).toEqual([
    ["Warranty", undefined],
    ["Repairs", "Warranty"],
    ["Ten", "Warranty > Repairs"],
    ["Fifteen", "Delivery"],
  ]);
});

test("a span names the lines that are headings in the file, also the rest of one that it begins in", () => {
  const text = "The Halden. Its parts\nThe pump weighs 12 kg and is made of steel, of bronze and of rubber.";
  const headings = [{ start: 0, text: "The Halden. Its parts", level: 1 }];
  const spansOf = (limit: number) =>
    chunkPages([{ page: 1, text, headings }], countWords, {
      maxWordPieces: limit,
      overlapWordPieces: 2,
    }).map(({ spans }) => spans);
  expect(spansOf(30)).toEqual([[{ page: 1, start: 0, end: text.length, headings: [0] }]]);
  expect(spansOf(17)[1]).toEqual([{ page: 1, start: 12, end: text.length, headings: [12] }]);
});

test("a heading that the page does not contain, such as the name of a sheet, names no line", () => {
  const headings = [{ start: 0, text: "Prices", level: 1 }];
  const [chunk] = chunkPages([{ page: 1, text: "Valve: 9\nPump: 40", headings }], countWords, options);
  expect(chunk?.spans).toEqual([{ page: 1, start: 0, end: 17 }]);
});
