import type { Candidate } from "./candidates.ts";

const WORDS = 0.35;

/**
 * How relevant a chunk is to the question, 0–1 and comparable between questions: the mean of the cosines of the chunk
 * and of its best sentence, plus the share of the question's words that it contains. The share is squared: most of the
 * words are a strong sign, while a few of them must not outvote the meaning.
 */
export function relevanceOf({ cosine, sentenceCosine, coverage }: Omit<Candidate, "documentId">): number {
  const meaning = (cosine + sentenceCosine) / 2;
  return Math.min(1, Math.max(0, (meaning + WORDS * coverage ** 2) / (1 + WORDS)));
}
