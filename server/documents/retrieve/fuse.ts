import type { Candidate } from "./candidates.ts";

const WORDS = 0.35;
const STATEMENT = 0.2;

/**
 * How relevant a chunk is to the question, 0–1 and comparable between questions: the mean of the cosines of the chunk
 * and of its best sentence, plus the share of the question's words that it contains. The share is squared: most of the
 * words are a strong sign, while a few of them must not outvote the meaning.
 */
export function relevanceOf({
  cosine,
  sentenceCosine,
  coverage,
}: Pick<Candidate, "cosine" | "sentenceCosine" | "coverage">): number {
  const meaning = (cosine + sentenceCosine) / 2;
  return within((meaning + WORDS * coverage ** 2) / (1 + WORDS));
}

/**
 * The candidates with their relevance, best first. A financial statement that the question is about counts apart,
 * because its rows are not sentences and a long question shares few words with it. Only in the document that is first
 * without it: the statement of another company is no answer.
 */
export function rankCandidates(candidates: readonly Candidate[]): (Candidate & { relevance: number })[] {
  const ranked = candidates
    .map((candidate) => ({ ...candidate, relevance: relevanceOf(candidate) }))
    .sort(byRelevance);
  const first = ranked[0]?.documentId;
  return ranked
    .map((candidate) => {
      if (!candidate.isOfStatement || candidate.documentId !== first) return candidate;
      return { ...candidate, relevance: within(candidate.relevance + STATEMENT / (1 + WORDS)) };
    })
    .sort(byRelevance);
}

function byRelevance(a: { relevance: number }, b: { relevance: number }): number {
  return b.relevance - a.relevance;
}

function within(relevance: number): number {
  return Math.min(1, Math.max(0, relevance));
}
