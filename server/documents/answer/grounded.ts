import { highlightsOf } from "./answer-kind.ts";
import { type Answer, type CitedPassage, type PageStore, type Source, toSources } from "./quote.ts";
import { bestQuote } from "./quote-candidates.ts";
import type { Passage, Question, Retrieval } from "../retrieve/retrieve.ts";
import { termsOf } from "../retrieve/terms.ts";
import { answerPrompt, NO_ANSWER } from "./answer-prompt.ts";
import { type Claim, readClaims, supports } from "./citations.ts";
import { streamClaims } from "./stream-claims.ts";

export interface AnswerRequest {
  ownerId: string;
  system: string;
  prompt: string;
  signal?: AbortSignal;
}

/** A language model without tools: text in, text out. */
export interface AnswerModel {
  id: string;
  generateText(request: AnswerRequest): Promise<string>;
  /** The same text piece by piece. */
  streamText?(request: AnswerRequest): AsyncIterable<string>;
}

/** Receives an answer while it is written. */
export interface AnswerStream {
  /** The passages that the text may cite, by number. A later call replaces them. */
  onSources(sources: readonly Source[]): void;
  /** The next piece of the answer. Of a model's, only sentences that a cited passage supports. */
  onText(text: string): void;
}

interface GroundedAnswerDeps {
  model: AnswerModel;
  store: PageStore;
  stream?: AnswerStream | undefined;
}

interface VerifiedClaim {
  text: string;
  /** The cited passages that support it. Without any, the claim is dropped. */
  passages: Passage[];
}

/**
 * An answer of which every sentence cites a passage that supports it. Unsupported sentences are dropped; undefined when
 * none remains.
 */
export async function groundedAnswer(
  retrieval: Retrieval,
  question: Question,
  { model, store, stream }: GroundedAnswerDeps,
): Promise<Answer | undefined> {
  const { passages } = retrieval;
  const { query, scope, signal } = question;
  const request = {
    ownerId: scope.ownerId,
    ...answerPrompt(query, passages),
    ...(signal && { signal }),
  };
  const text =
    stream && model.streamText
      ? await streamClaims(
          model.streamText(request),
          await sentenceStream(retrieval, question, store, stream),
        )
      : await model.generateText(request);
  if (text.trim().replace(/\W+$/, "") === NO_ANSWER)
    return {
      answer: "The documents do not answer this question.",
      confidence: "none",
      sources: [],
      answeredBy: model.id,
    };
  const claims = readClaims(text).map((claim) => verified(claim, passages));
  const sources = await toSources(citedIn(claims, query), scope, store);
  const sentences = claims.flatMap(citing(sources));
  if (sentences.length === 0) return undefined;
  return { answer: sentences.join(" "), confidence: "high", sources, answeredBy: model.id };
}

function verified({ text, passages: numbers }: Claim, passages: readonly Passage[]): VerifiedClaim {
  const named = numbers.flatMap((number) => passages[number - 1] ?? []);
  return { text, passages: named.filter(({ chunk }) => supports(chunk.text, text)) };
}

/** The claim as a sentence with the numbers of its sources; nothing when none of them supports it. */
function citing(sources: readonly Source[]): (claim: VerifiedClaim) => string[] {
  const numberOf = new Map(sources.map((source, i) => [source.chunkId, i + 1]));
  return (claim) => {
    const numbers = claim.passages.flatMap(({ chunk }) => numberOf.get(chunk.chunkId) ?? []);
    return numbers.length > 0 ? [withCitation(claim.text, numbers)] : [];
  };
}

/**
 * Passes on each sentence that holds. Which passages the whole answer will cite is not known yet, so its numbers are
 * those of all passages.
 */
async function sentenceStream(
  { passages, question: { text, weights } }: Retrieval,
  { scope }: Question,
  store: PageStore,
  stream: AnswerStream,
): Promise<(claim: Claim) => void> {
  const quoted = passages.flatMap((passage): CitedPassage[] => {
    const quote = bestQuote(passage.chunk, weights);
    return quote ? [{ passage, quote, highlights: highlightsOf(text, quote.text) }] : [];
  });
  const sources = await toSources(quoted, scope, store);
  stream.onSources(sources);
  const sentencesOf = citing(sources);
  let separator = "";
  return (claim) => {
    for (const sentence of sentencesOf(verified(claim, passages))) {
      stream.onText(separator + sentence);
      separator = " ";
    }
  };
}

/** Each cited passage once, best first, with its sentence that is closest to the claims that cite it. */
function citedIn(claims: readonly VerifiedClaim[], query: string): CitedPassage[] {
  const passages = new Set(claims.flatMap((claim) => claim.passages));
  return [...passages]
    .sort((a, b) => b.relevance - a.relevance)
    .flatMap((passage) => {
      const terms = claims
        .filter((claim) => claim.passages.includes(passage))
        .flatMap(({ text }) => termsOf(text));
      const quote = bestQuote(passage.chunk, new Map(terms.map((term) => [term, 1])));
      return quote ? [{ passage, quote, highlights: highlightsOf(query, quote.text) }] : [];
    });
}

function withCitation(sentence: string, numbers: readonly number[]): string {
  const end = /[.!?]*$/.exec(sentence)?.[0] ?? "";
  return `${sentence.slice(0, sentence.length - end.length)} [${numbers.join(", ")}]${end || "."}`;
}
