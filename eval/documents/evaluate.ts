import type { Confidence } from "../../contract/documents.ts";
import type { Answer } from "../../server/documents/answer/quote.ts";
import type { SetQuestion } from "./eval-set.ts";
import { cpuMs, documentIdOf, type Library, OWNER } from "./library.ts";

export interface Scores {
  questions: number;
  pageHitAt1: number;
  pageHitAt5: number;
  ndcgAt10: number;
  /** Share of answers by confidence. */
  confidence: Record<Confidence, number>;
  /** Share of right first pages among the answers of high confidence; 1 if there are none. */
  rightAmongHigh: number;
  /** The first quote contains the answer. Of the questions whose answer text is known. */
  firstQuoteHit: number;
  /** The answer contains it. */
  answerHit: number;
  /** Answers without a source. */
  wronglyRefused: number;
  cpuMsPerQuestion: number;
}

export interface Miss {
  question: string;
  expected: string;
  got: string;
}

interface Options {
  /** Ask only the question's own document. */
  inside?: boolean;
  /** Ask only these documents. */
  documentsOf?: ((asked: SetQuestion) => readonly string[] | undefined) | undefined;
  onMiss?: ((miss: Miss) => void) | undefined;
}

const DEPTH = 10;

/** The result of one question. */
export interface Outcome {
  asked: SetQuestion;
  /** Rank of the first right page among the sources, counted from 0; -1 if none is right. */
  rank: number;
  confidence: Confidence;
  inFirstQuote: boolean;
  inAnswer: boolean;
  cpuMs: number;
}

/** Asks every answerable question over the whole library or, with `inside`, only over its own document. */
export async function askQuestions(
  library: Library,
  questions: readonly SetQuestion[],
  { inside = false, documentsOf = insideOf(inside), onMiss }: Options = {},
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const asked of questions) {
    const right = rightPages(library, asked);
    const start = cpuMs();
    const documentIds = documentsOf(asked)?.map(documentIdOf);
    const result = await library.query(OWNER, {
      query: asked.question,
      topK: DEPTH,
      ...(documentIds && { documentIds }),
    });
    const rank = result.sources.findIndex((source) => right.has(keyOf(source)));
    const { answers = [] } = asked;
    const [first] = result.sources;
    outcomes.push({
      asked,
      rank,
      confidence: result.confidence,
      inFirstQuote: first !== undefined && isFrom(asked.document, first) && containsAny(first.quote, answers),
      inAnswer: containsAny(result.answer, answers),
      cpuMs: cpuMs() - start,
    });
    if (rank !== 0)
      onMiss?.({
        question: asked.question,
        expected: `${asked.document ?? ""} ${[...right].join()} ${answers[0] ?? ""}`,
        got: describe(result),
      });
  }
  return outcomes;
}

const insideOf =
  (inside: boolean) =>
  ({ document }: SetQuestion): string[] | undefined =>
    inside && document !== undefined ? [document] : undefined;

export function scoresOf(outcomes: readonly Outcome[]): Scores {
  const share = (test: (outcome: Outcome) => boolean, of = outcomes): number =>
    of.length === 0 ? 0 : of.filter(test).length / of.length;
  const high = outcomes.filter(({ confidence }) => confidence === "high");
  const known = outcomes.filter(({ asked }) => asked.answers && asked.answers.length > 0);
  const mean = (value: (outcome: Outcome) => number): number =>
    outcomes.reduce((sum, outcome) => sum + value(outcome), 0) / Math.max(outcomes.length, 1);
  return {
    questions: outcomes.length,
    pageHitAt1: share(({ rank }) => rank === 0),
    pageHitAt5: share(({ rank }) => rank >= 0 && rank < 5),
    // There is one correct page, so the ideal is a hit at rank one.
    ndcgAt10: mean(({ rank }) => (rank < 0 ? 0 : 1 / Math.log2(rank + 2))),
    confidence: gradesOf(outcomes),
    rightAmongHigh: high.length === 0 ? 1 : share(({ rank }) => rank === 0, high),
    firstQuoteHit: share(({ inFirstQuote }) => inFirstQuote, known),
    answerHit: share(({ inAnswer }) => inAnswer, known),
    wronglyRefused: share(({ confidence }) => confidence === "none"),
    cpuMsPerQuestion: mean((outcome) => outcome.cpuMs),
  };
}

/** The share of each confidence. */
export function gradesOf(outcomes: readonly { confidence: Confidence }[]): Record<Confidence, number> {
  const share = (grade: Confidence): number =>
    outcomes.filter(({ confidence }) => confidence === grade).length / Math.max(outcomes.length, 1);
  return { high: share("high"), low: share("low"), none: share("none") };
}

/** The confidence of the answers to questions that have no answer in the library. */
export async function askUnanswerable(
  library: Library,
  questions: readonly SetQuestion[],
  { inside = false, onMiss }: Options = {},
): Promise<{ asked: SetQuestion; confidence: Confidence }[]> {
  const outcomes: { asked: SetQuestion; confidence: Confidence }[] = [];
  for (const asked of questions) {
    const { question, document } = asked;
    const documentIds = inside && document !== undefined ? [documentIdOf(document)] : undefined;
    const result = await library.query(OWNER, { query: question, ...(documentIds && { documentIds }) });
    outcomes.push({ asked, confidence: result.confidence });
    if (result.confidence !== "none") onMiss?.({ question, expected: "a refusal", got: describe(result) });
  }
  return outcomes;
}

function keyOf({ documentId, page }: { documentId: string; page: number }): string {
  return `${documentId}:${page}`;
}

function isFrom(document: string | undefined, { documentId }: { documentId: string }): boolean {
  return document === undefined || documentId === documentIdOf(document);
}

/** The right pages as `document id:page`. */
export function rightPages(
  { truth }: Library,
  { question, document, pages, answers = [] }: SetQuestion,
): Set<string> {
  const right = new Set<string>();
  if (document !== undefined && pages) {
    for (const page of pages) right.add(keyOf({ documentId: documentIdOf(document), page }));
    return right;
  }
  for (const [id, texts] of document === undefined ? truth : [[document, truth.get(document) ?? []] as const])
    for (const page of pagesWith(texts, answers)) right.add(keyOf({ documentId: documentIdOf(id), page }));
  if (right.size === 0) throw new Error(`No page contains an answer to "${question}".`);
  return right;
}

function pagesWith(texts: readonly string[], answers: readonly string[]): number[] {
  const pages = texts.flatMap((text, i) => (containsAny(text, answers) ? [i + 1] : []));
  if (pages.length > 0) return pages;
  // An answer may cross a page break; then both pages are right.
  return texts.flatMap((text, i) => {
    const next = texts[i + 1];
    return next !== undefined && containsAny(`${text} ${next}`, answers) ? [i + 1, i + 2] : [];
  });
}

function containsAny(text: string, pieces: readonly string[]): boolean {
  const plain = (value: string): string => value.replace(/\s+/g, " ").toLowerCase();
  const whole = plain(text);
  return pieces.some((piece) => whole.includes(plain(piece)));
}

function describe({ sources }: Answer): string {
  return (
    sources
      .slice(0, 3)
      .map(({ title, page, relevance, quote }) => `${title}:${page} ${relevance} "${quote.slice(0, 60)}"`)
      .join(" | ") || "refused"
  );
}
