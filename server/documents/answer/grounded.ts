import { MAX_ANSWER_CHARACTERS } from "../../../contract/documents.ts";
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
  const offered = await offeredSources(retrieval, question, store);
  stream?.onSources(offered);
  const text =
    stream && model.streamText
      ? await streamClaims(model.streamText(request), sentenceStream(passages, offered, stream))
      : (await model.generateText(request)).slice(0, MAX_ANSWER_CHARACTERS);
  if (text.trim().replace(/(?<!\W)\W+$/, "") === NO_ANSWER)
    return {
      answer: "The documents do not answer this question.",
      confidence: "none",
      sources: [],
      answeredBy: model.id,
    };
  const claims = readClaims(text).map((claim) => verified(claim, passages));
  const sentences = claims.flatMap(citing(offered));
  if (sentences.length === 0) return undefined;
  const cited = await toSources(citedIn(claims, query), scope, store);
  const sources = upToLastCited(offered, claims, cited);
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

/** The passages with the sentences that are closest to the question, best first. The answer cites them by these numbers. */
async function offeredSources(
  { passages, question: { text, weights } }: Retrieval,
  { scope }: Question,
  store: PageStore,
): Promise<Source[]> {
  const quoted = passages.flatMap((passage): CitedPassage[] => {
    const quote = bestQuote(passage.chunk, weights);
    return quote ? [{ passage, quote, highlights: highlightsOf(text, quote.text) }] : [];
  });
  return toSources(quoted, scope, store);
}

/**
 * The offered sources up to the last one that is cited, so that streamed numbers stay valid and the best is first. Those
 * that are cited quote the sentence that supports the answer.
 */
function upToLastCited(
  offered: readonly Source[],
  claims: readonly VerifiedClaim[],
  cited: readonly Source[],
): Source[] {
  const citedIds = new Set(claims.flatMap(({ passages }) => passages.map(({ chunk }) => chunk.chunkId)));
  const last = offered.findLastIndex(({ chunkId }) => citedIds.has(chunkId));
  const supporting = new Map(cited.map((source) => [source.chunkId, source]));
  return offered.slice(0, last + 1).map((source) => supporting.get(source.chunkId) ?? source);
}

/** Passes on each sentence that holds. */
function sentenceStream(
  passages: readonly Passage[],
  offered: readonly Source[],
  stream: AnswerStream,
): (claim: Claim) => void {
  const sentencesOf = citing(offered);
  let separator = "";
  return (claim) => {
    for (const sentence of sentencesOf(verified(claim, passages))) {
      stream.onText(separator + sentence);
      separator = " ";
    }
  };
}

/** Each cited passage once, with its sentence that is closest to the claims that cite it. */
function citedIn(claims: readonly VerifiedClaim[], query: string): CitedPassage[] {
  const passages = new Set(claims.flatMap((claim) => claim.passages));
  return [...passages].flatMap((passage) => {
    const terms = claims
      .filter((claim) => claim.passages.includes(passage))
      .flatMap(({ text }) => termsOf(text));
    const quote = bestQuote(passage.chunk, new Map(terms.map((term) => [term, 1])));
    return quote ? [{ passage, quote, highlights: highlightsOf(query, quote.text) }] : [];
  });
}

function withCitation(sentence: string, numbers: readonly number[]): string {
  const end = /(?<![.!?])[.!?]*$/.exec(sentence)?.[0] ?? "";
  return `${sentence.slice(0, sentence.length - end.length)} [${numbers.join(", ")}]${end || "."}`;
}
