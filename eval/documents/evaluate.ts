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
  onMiss?: ((miss: Miss) => void) | undefined;
}

const DEPTH = 10;

/** Asks every answerable question over the whole library or, with `inside`, only over its own document. */
export async function scoreQuestions(
  library: Library,
  questions: readonly SetQuestion[],
  { inside = false, onMiss }: Options = {},
): Promise<Scores> {
  const sums = { at1: 0, at5: 0, ndcg: 0, quote: 0, answered: 0, known: 0, rightHigh: 0 };
  const confidence = { high: 0, low: 0, none: 0 };
  const start = cpuMs();
  for (const asked of questions) {
    const right = rightPages(library, asked);
    const documentIds = inside && asked.document !== undefined ? [documentIdOf(asked.document)] : undefined;
    const result = await library.query(OWNER, {
      query: asked.question,
      topK: DEPTH,
      ...(documentIds && { documentIds }),
    });
    const rank = result.sources.findIndex((source) => right.has(keyOf(source)));
    if (rank === 0) sums.at1 += 1;
    if (rank >= 0 && rank < 5) sums.at5 += 1;
    // There is one correct page, so the ideal is a hit at rank one.
    if (rank >= 0) sums.ndcg += 1 / Math.log2(rank + 2);
    const grade = result.confidence;
    confidence[grade] += 1;
    if (grade === "high" && rank === 0) sums.rightHigh += 1;
    const { answers = [] } = asked;
    if (answers.length > 0) sums.known += 1;
    const [first] = result.sources;
    if (first && isFrom(asked.document, first) && containsAny(first.quote, answers)) sums.quote += 1;
    if (containsAny(result.answer, answers)) sums.answered += 1;
    if (rank !== 0)
      onMiss?.({
        question: asked.question,
        expected: `${asked.document ?? ""} ${[...right].join()} ${answers[0] ?? ""}`,
        got: describe(result),
      });
  }
  const share = (sum: number, of = questions.length): number => (of === 0 ? 0 : sum / of);
  return {
    questions: questions.length,
    pageHitAt1: share(sums.at1),
    pageHitAt5: share(sums.at5),
    ndcgAt10: share(sums.ndcg),
    confidence: {
      high: share(confidence.high),
      low: share(confidence.low),
      none: share(confidence.none),
    },
    rightAmongHigh: confidence.high === 0 ? 1 : sums.rightHigh / confidence.high,
    firstQuoteHit: share(sums.quote, sums.known),
    answerHit: share(sums.answered, sums.known),
    wronglyRefused: share(confidence.none),
    cpuMsPerQuestion: share(cpuMs() - start),
  };
}

/** The share of answers by confidence to questions that have no answer in the library. */
export async function gradeUnanswerable(
  library: Library,
  questions: readonly SetQuestion[],
  { inside = false, onMiss }: Options = {},
): Promise<Record<Confidence, number>> {
  const grades = { high: 0, low: 0, none: 0 };
  for (const { question, document } of questions) {
    const documentIds = inside && document !== undefined ? [documentIdOf(document)] : undefined;
    const result = await library.query(OWNER, { query: question, ...(documentIds && { documentIds }) });
    const grade = result.confidence;
    grades[grade] += 1 / questions.length;
    if (grade !== "none") onMiss?.({ question, expected: "a refusal", got: describe(result) });
  }
  return grades;
}

function keyOf({ documentId, page }: { documentId: string; page: number }): string {
  return `${documentId}:${page}`;
}

function isFrom(document: string | undefined, { documentId }: { documentId: string }): boolean {
  return document === undefined || documentId === documentIdOf(document);
}

function rightPages(
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
