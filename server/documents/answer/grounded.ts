import { type Answer, type CitedPassage, bestSentence, type PageStore, toSources } from "./quote.ts";
import type { Passage, Question, Retrieval } from "../retrieve/retrieve.ts";
import { termsOf } from "../retrieve/terms.ts";
import { answerPrompt, NO_ANSWER } from "./answer-prompt.ts";
import { readClaims, supports } from "./citations.ts";

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
  { passages }: Retrieval,
  { query, scope, signal }: Question,
  { model, store }: { model: AnswerModel; store: PageStore },
): Promise<Answer | undefined> {
  const text = await model.generateText({
    ownerId: scope.ownerId,
    ...answerPrompt(query, passages),
    ...(signal && { signal }),
  });
  if (text.trim().replace(/\W+$/, "") === NO_ANSWER)
    return {
      answer: "The documents do not answer this question.",
      confidence: "none",
      sources: [],
      answeredBy: model.id,
    };
  const claims = readClaims(text).map(({ text: claim, passages: numbers }): VerifiedClaim => {
    const named = numbers.flatMap((number) => passages[number - 1] ?? []);
    return { text: claim, passages: named.filter(({ chunk }) => supports(chunk.text, claim)) };
  });
  const sources = await toSources(citedIn(claims), scope, store);
  const numberOf = new Map(sources.map((source, i) => [source.chunkId, i + 1]));
  const sentences = claims.flatMap((claim) => {
    const numbers = claim.passages.flatMap(({ chunk }) => numberOf.get(chunk.chunkId) ?? []);
    return numbers.length > 0 ? [withCitation(claim.text, numbers)] : [];
  });
  if (sentences.length === 0) return undefined;
  return { answer: sentences.join(" "), confidence: "high", sources, answeredBy: model.id };
}

/** Each cited passage once, best first, with its sentence that is closest to the claims that cite it. */
function citedIn(claims: readonly VerifiedClaim[]): CitedPassage[] {
  const passages = new Set(claims.flatMap((claim) => claim.passages));
  return [...passages]
    .sort((a, b) => b.relevance - a.relevance)
    .flatMap((passage) => {
      const terms = claims
        .filter((claim) => claim.passages.includes(passage))
        .flatMap(({ text }) => termsOf(text));
      const quote = bestSentence(passage.chunk, new Map(terms.map((term) => [term, 1])));
      return quote ? [{ passage, quote }] : [];
    });
}

function withCitation(sentence: string, numbers: readonly number[]): string {
  const end = /[.!?]*$/.exec(sentence)?.[0] ?? "";
  return `${sentence.slice(0, sentence.length - end.length)} [${numbers.join(", ")}]${end || "."}`;
}
