import { type Answer, type CitedPassage, type PageStore, placeOf, toSources } from "./quote.ts";
import { quoteCandidates } from "./quote-candidates.ts";
import type { ChunkStore, Passage, Question, Retrieval } from "../retrieve/retrieve.ts";
import { termsOf } from "../retrieve/terms.ts";

const SENTENCES_SHOWN = 3;
/** Shown for passages that were chosen by their place and not by the question. */
const RELEVANCE = 0.38;

/** Words of questions about a document as a whole. */
const OF_THE_WHOLE = `document pdf file text paper report article book page content summary summarise summarize overview
  outline topic theme subject gist main key central important point idea finding takeaway conclusion message purpose
  information describe explain discuss cover contain include talk deal brief short quick`;
/** Set at the first question: `termsOf` compiles large patterns, which the start need not wait for. */
let termsOfTheWhole: Set<string> | undefined;

const ASKS_FOR_DETAIL = /\b(?:who|whom|whose|when|where|why|how)\b/i;

/** "What is this document about?": no passage contains these terms, and every passage is part of the answer. */
export function asksForOverview(query: string): boolean {
  const terms = termsOf(query);
  // "What is it?" asks for the whole, "How much is it?" for a detail.
  if (terms.length === 0) return /\b(?:this|it)\b/i.test(query) && !ASKS_FOR_DETAIL.test(query);
  const whole = (termsOfTheWhole ??= new Set(termsOf(OF_THE_WHOLE)));
  return terms.every((term) => whole.has(term));
}

/** The first passages of the best matching documents: a document usually states its subject there. */
export async function leadPassages(
  { passages }: Retrieval,
  { scope, topK }: Question,
  store: ChunkStore,
): Promise<Passage[]> {
  const documents = [...new Set(passages.map(({ chunk }) => chunk.documentId))];
  const ofEach = Math.ceil(topK / documents.length);
  const keys = documents
    .flatMap((documentId) => Array.from({ length: ofEach }, (_, ordinal) => ({ documentId, ordinal })))
    .slice(0, topK);
  const chunks = await store.chunks(scope, keys);
  return keys.flatMap(({ documentId, ordinal }) =>
    chunks
      .filter((chunk) => chunk.documentId === documentId && chunk.ordinal === ordinal)
      .map((chunk) => ({ chunk, relevance: RELEVANCE, cosine: 0, sentenceCosines: [], sentenceCosine: 0 })),
  );
}

export async function overviewAnswer(
  passages: readonly Passage[],
  { scope }: Question,
  store: PageStore,
): Promise<Answer> {
  const cited = passages.flatMap((passage): CitedPassage[] => {
    const [quote] = quoteCandidates(passage.chunk);
    return quote ? [{ passage, quote }] : [];
  });
  const sources = await toSources(cited, scope, store);
  const beginnings = passages.filter(({ chunk }) => chunk.ordinal === 0);
  const lines = beginnings
    .flatMap(({ chunk }) =>
      quoteCandidates(chunk)
        .slice(0, beginnings.length === 1 ? SENTENCES_SHOWN : 1)
        .map(({ text, page }) => {
          const place = placeOf({ documentId: chunk.documentId, page }, sources);
          return `“${text}” (${chunk.title}, ${place})`;
        }),
    )
    .slice(0, SENTENCES_SHOWN);
  return {
    answer: `${beginnings.length === 1 ? "The document begins" : "The documents begin"}:\n\n${lines.join("\n\n")}`,
    sources,
    confidence: "high",
    answeredBy: "extractive",
  };
}
