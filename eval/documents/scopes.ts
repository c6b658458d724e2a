import { createHash } from "node:crypto";
import { corpus, halfOf } from "./corpus/corpus.ts";
import type { SetQuestion } from "./eval-set.ts";
import { askQuestions, scoresOf } from "./evaluate.ts";
import type { Library } from "./library.ts";
import { printRow } from "./print.ts";

const SIZES = [1, 3, 10, corpus.documents.length];

/**
 * Asks every question in scopes of one, three, ten and all documents: an everyday question seldom says what it is about, so
 * the number of documents decides. A refused question counts as a miss.
 */
export async function printScopes(library: Library, questions: readonly SetQuestion[]): Promise<void> {
  const groups = (["tune", "report"] as const).flatMap((half) =>
    [true, false].map((isEnglish) => ({
      name: `${half}, ${isEnglish ? "English" : "other languages"}`,
      isIn: (asked: SetQuestion) => halfOf(asked) === half && (asked.language === "en") === isEnglish,
    })),
  );
  console.log("\neveryday words, page-hit@1 / page-hit@5 (refused), %");
  printRow(["documents searched", ...groups.map(({ name }) => name)]);
  printRow(["---", ...groups.map(() => "---")]);
  for (const size of SIZES) {
    const outcomes = await askQuestions(library, questions, {
      documentsOf: (asked) => scopeOf(asked, size),
    });
    const cells = groups.map(({ isIn }) => {
      const scores = scoresOf(outcomes.filter(({ asked }) => isIn(asked)));
      const [first, five, refused] = [scores.pageHitAt1, scores.pageHitAt5, scores.wronglyRefused].map(
        (share) => (share * 100).toFixed(1),
      );
      return `${first} / ${five} (${refused})`;
    });
    printRow([String(size), ...cells]);
  }
}

/** The document of the question, and others in the order of a hash of the question and their id. */
export function scopeOf({ question, document }: SetQuestion, size: number): string[] {
  const others = corpus.documents.map(({ id }) => id).filter((id) => id !== document);
  const hashOf = (id: string): string => createHash("sha256").update(`${question}\n${id}`).digest("hex");
  const chosen = others.map((id) => ({ id, hash: hashOf(id) })).sort((a, b) => (a.hash < b.hash ? -1 : 1));
  return [...(document === undefined ? [] : [document]), ...chosen.map(({ id }) => id)].slice(0, size);
}
