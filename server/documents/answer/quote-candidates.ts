import type { ChunkSpan } from "../ingest/chunk.ts";
import { indexTerms } from "../ingest/index-text.ts";
import { splitSentences, type Span } from "../ingest/sentences.ts";
import { coverage } from "../retrieve/lexical.ts";
import type { StoredChunk } from "../retrieve/retrieve.ts";
import type { Quote } from "./quote.ts";

/** A quote that can be read alone. */
export interface QuoteCandidate extends Quote {
  /** Position in `sentencesOf(chunk)` of the sentence that the quote is about. */
  sentence: number;
  /** The headings or the introduction above it, which say what it is about. */
  context: string;
}

const MAX_CHARACTERS = 400;

interface Sentence extends Span {
  text: string;
  startsLine: boolean;
  endsLine: boolean;
  /** The whole line says nothing alone. */
  isHeading: boolean;
}

/**
 * The quotes of a chunk. A heading says nothing alone and is not a quote. A run-in title is quoted with the sentence that
 * follows it, the introduction of a list with its items, and an item with the introduction. Every quote is one range of
 * one page.
 */
export function quoteCandidates(chunk: Pick<StoredChunk, "text" | "spans" | "heading">): QuoteCandidate[] {
  const spans = spansOf(chunk);
  const candidates = spans.flatMap((span) => candidatesIn(span, chunk.heading ?? ""));
  if (candidates.length > 0) return candidates;
  // A cover page consists of headings: they are quoted together.
  return spans.slice(0, 1).map((span) => {
    let last = span.sentences.length - 1;
    while (last > 0 && !fits(span.sentences, 0, last)) last -= 1;
    return { ...quoteOf(span, 0, last), sentence: 0, context: "" };
  });
}

/** The part of a chunk on one page. */
interface SpanText extends ChunkSpan {
  text: string;
  sentences: Sentence[];
  /** Position of its first sentence in the chunk. */
  before: number;
}

function spansOf({ text, spans }: Pick<StoredChunk, "text" | "spans">): SpanText[] {
  const parts: SpanText[] = [];
  let offset = 0;
  let before = 0;
  for (const span of spans) {
    const own = text.slice(offset, offset + span.end - span.start);
    const sentences = describe(own, new Set(span.headings?.map((offset) => offset - span.start)));
    if (sentences.length > 0) parts.push({ ...span, text: own, sentences, before });
    before += sentences.length;
    offset += own.length + 1;
  }
  return parts;
}

function candidatesIn(span: SpanText, heading: string): QuoteCandidate[] {
  const { sentences, before } = span;
  let context = heading;
  return sentences.flatMap((sentence, index) => {
    if (sentence.isHeading) {
      context = sentences[index - 1]?.isHeading ? `${context}\n${sentence.text}` : sentence.text;
      return [];
    }
    const [first, last] = rangeOf(sentences, index);
    const introduction = first < index ? `\n${sentences[first]!.text}` : "";
    return [{ ...quoteOf(span, first, last), sentence: before + index, context: context + introduction }];
  });
}

function quoteOf(span: SpanText, first: number, last: number): Quote {
  const { start } = span.sentences[first]!;
  const { end } = span.sentences[last]!;
  return {
    page: span.page,
    start: span.start + start,
    end: span.start + end,
    text: span.text.slice(start, end),
  };
}

/** The quote of a chunk with the greatest coverage of the weighted terms. */
export function bestQuote(chunk: StoredChunk, weights: ReadonlyMap<string, number>): Quote | undefined {
  let best: Quote | undefined;
  let bestScore = -1;
  for (const quote of quoteCandidates(chunk)) {
    const score = coverage(weights, indexTerms("", quote));
    if (score > bestScore) [best, bestScore] = [quote, score];
  }
  return best;
}

/** `headings` are the offsets of lines that the file marks as headings; others are recognized by their looks. */
function describe(text: string, headings: ReadonlySet<number>): Sentence[] {
  const lineStartOf = (offset: number): number => text.lastIndexOf("\n", offset) + 1;
  const sentences = splitSentences(text).map(({ start, end }) => {
    const lineStart = lineStartOf(start);
    const lineEnd = text.indexOf("\n", end);
    const line = text.slice(lineStart, lineEnd < 0 ? text.length : lineEnd).trim();
    return {
      start,
      end,
      text: text.slice(start, end),
      startsLine: text.slice(lineStart, start).trim() === "",
      endsLine: text.slice(end, lineEnd < 0 ? text.length : lineEnd).trim() === "",
      isHeading: isHeading(line),
    };
  });
  return withRows(sentences).map((sentence) => ({
    ...sentence,
    isHeading: sentence.isHeading || headings.has(lineStartOf(sentence.start)),
  }));
}

/** Headings seldom follow each other: many of them are the rows of a table without figures, under the first. */
const ROWS_OF_WORDS = 4;

function withRows(sentences: readonly Sentence[]): Sentence[] {
  let first = 0;
  return sentences.map((sentence, index) => {
    if (!sentences[index - 1]?.isHeading) first = index;
    const end = sentences.findIndex((next, i) => i >= first && !next.isHeading);
    const length = (end < 0 ? sentences.length : end) - first;
    return { ...sentence, isHeading: sentence.isHeading && (length < ROWS_OF_WORDS || index === first) };
  });
}

function fits(sentences: readonly Sentence[], first: number, last: number): boolean {
  return last < sentences.length && sentences[last]!.end - sentences[first]!.start <= MAX_CHARACTERS;
}

/** The first and last sentence of the quote of one sentence. */
function rangeOf(sentences: readonly Sentence[], index: number): [first: number, last: number] {
  let first = index;
  let last = index;
  if (isItem(sentences[index]!)) {
    while (first > 0 && isItem(sentences[first]!)) first -= 1;
    if (!isIntroduction(sentences[first]!) || !fits(sentences, first, index)) first = index;
  } else if (index > 0 && isRunInTitle(sentences[index - 1]!) && fits(sentences, index - 1, index))
    first -= 1;
  if (isRunInTitle(sentences[index]!) && fits(sentences, first, index + 1)) last += 1;
  if (isIntroduction(sentences[last]!) && fits(sentences, first, last + 1)) {
    last += 1;
    // Code begins with a bracket, which says nothing alone.
    while (!/[\p{L}\p{N}]/u.test(sentences[last]!.text) && fits(sentences, first, last + 1)) last += 1;
    while (isItem(sentences[last]!) && fits(sentences, first, last + 1) && isItem(sentences[last + 1]!))
      last += 1;
  }
  return [first, last];
}

const wordsOf = (text: string): number => text.split(/\s+/).length;

/** A short line without a stop. A number that does not begin it makes it a row of a table. */
function isHeading(line: string): boolean {
  if (line.length > 90 || wordsOf(line) > 12 || isBullet(line)) return false;
  if (/[.!?…。！？؟:：;]["'”’»)\]]*$/u.test(line)) return false;
  return !/\p{N}/u.test(line.replace(SECTION_NUMBER, ""));
}

const SECTION_NUMBER =
  /^(?:(?:chapter|section|article|part|annex|appendix|kapitel|abschnitt|artikel|teil|anhang|capítulo|sección|artículo|chapitre|глава|раздел|статья)\s)?[§\p{N}.()]+(?=\s|$)/iu;

// A title has no article and no finite verb: "Open the valve." is a sentence.
const SENTENCE_WORDS =
  /\b(?:the|an?|it|this|he|she|they|we|you|der|die|das|den|ein|eine|es|er|sie|wir|el|los|las|un|una|le|les|une|il|elle|is|are|was|were|has|have|had|must|can|may|will|shall|should|do|does|did|ist|sind|war|hat|muss|kann|son|est|sont)\b/i;

/** "Extension of time to file." at the beginning of a paragraph. */
function isRunInTitle({ text, startsLine, endsLine }: Sentence): boolean {
  if (!startsLine || endsLine || wordsOf(text) > 5) return false;
  return /\p{L}[.:]$/u.test(text) && !/\p{N}/u.test(text) && !SENTENCE_WORDS.test(text);
}

const isBullet = (text: string): boolean => /^(?:[-–—•●▪◦*·]\s*|\(?(?:\p{N}{1,2}|\p{L})[.)]\s)/u.test(text);
const isItem = ({ text, startsLine }: Sentence): boolean => startsLine && isBullet(text);
const isIntroduction = ({ text, endsLine }: Sentence): boolean => endsLine && /[:：]$/u.test(text);
