import type { Confidence } from "../../../contract/documents.ts";
import type { Passage, Retrieval } from "../retrieve/retrieve.ts";

/** A floor at 10 passages, and what it rises by for every tenfold of that. */
const HIGH = { atTen: 0.36, perTenfold: 0.03 };
const LOW = { atTen: 0.62, perTenfold: 0.2 };

// Where the model does not know the script, words alone decide, and a paraphrase shares few.
const LOW_BY_WORDS = 0.12;

/**
 * Grades a retrieval: high by the relevance of the best passage, low by how near any passage comes. A language model judges
 * better and overrules it. The more passages are searched, the nearer the best of them comes to any question, so the
 * floors rise with their number. They were chosen on one half of the evaluation set (`npm run eval:confidence`).
 */
export function confidenceOf(retrieval: Retrieval): Confidence {
  const { passages, chunksInScope, question } = retrieval;
  if (passages.length === 0) return "none";
  if (bestOf(passages, "relevance") >= floor(HIGH, chunksInScope)) return "high";
  const { knownShare } = question;
  const low = knownShare * floor(LOW, chunksInScope) + (1 - knownShare) * LOW_BY_WORDS;
  return nearnessOf(passages) >= low ? "low" : "none";
}

/** A paraphrase may be near by one measure only, and an off-topic question is near by none. */
export function nearnessOf(passages: readonly Passage[]): number {
  return bestOf(passages, "relevance") + bestOf(passages, "cosine") + bestOf(passages, "sentenceCosine");
}

function bestOf(passages: readonly Passage[], score: "relevance" | "cosine" | "sentenceCosine"): number {
  return Math.max(0, ...passages.map((passage) => passage[score]));
}

function floor({ atTen, perTenfold }: typeof HIGH, chunks: number): number {
  return atTen + perTenfold * Math.log10(Math.max(1, chunks) / 10);
}
