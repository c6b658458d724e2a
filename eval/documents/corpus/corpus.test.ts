import { expect, test } from "vitest";
import { corpus, halfOf, paraphrases, reports, tableQuestions } from "./corpus.ts";
import { rephrased, rephrasedUnanswerable } from "./rephrased.ts";
import { unanswerableTopics } from "./unanswerable-topics.ts";

const all = [...corpus.questions, ...paraphrases, ...tableQuestions, ...reports.questions];

function textOf(document: (typeof corpus.documents)[number]): string {
  if (!("blocks" in document)) return document.pages?.join(" ") ?? "";
  return document.blocks
    .flatMap((block) => {
      if ("heading" in block) return block.heading;
      if ("text" in block) return block.text;
      if ("list" in block) return block.list;
      return "rows" in block ? block.rows.flat() : [];
    })
    .join(" ");
}

test("every answer is in the text of its document", () => {
  const texts = new Map(
    [...corpus.documents, ...reports.documents].map((document) => [document.id, textOf(document)]),
  );
  const missing = all.filter(({ document, answer }) => !texts.get(document)?.includes(answer));
  expect(missing).toEqual([]);
  expect(unanswerableTopics.filter(({ document }) => !texts.has(document ?? ""))).toEqual([]);
});

test("no question is asked twice, and both halves hold about half of each group and language", () => {
  const asked = [...all, ...unanswerableTopics].map(({ question }) => question);
  expect(new Set(asked).size).toBe(asked.length);
  const languages = [...new Set(paraphrases.map(({ language = "en" }) => language))];
  expect(languages.toSorted()).toEqual(["ar", "de", "en", "es", "ja", "ru", "zh"]);
  for (const group of [
    corpus.questions,
    paraphrases,
    tableQuestions,
    reports.questions,
    unanswerableTopics,
    ...languages.map((language) =>
      paraphrases.filter((question) => (question.language ?? "en") === language),
    ),
  ]) {
    const tune = group.filter((question) => halfOf(question) === "tune").length;
    expect(tune / group.length).toBeGreaterThan(0.25);
    expect(tune / group.length).toBeLessThan(0.75);
  }
});

test("the rephrased set has 60 questions with an answer and 15 without, and repeats none of the corpus", () => {
  const originals = new Set(all.map(({ question }) => question));
  const asked = [...rephrased, ...rephrasedUnanswerable].map(({ question }) => question);
  expect(rephrased.length).toBeGreaterThanOrEqual(60);
  expect(rephrasedUnanswerable).toHaveLength(15);
  expect(new Set(asked).size).toBe(asked.length);
  expect(asked.filter((question) => originals.has(question))).toEqual([]);
});
