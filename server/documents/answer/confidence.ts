import type { Confidence } from "../../../contract/documents.ts";
import type { Retrieval } from "../retrieve/retrieve.ts";

/** The least relevance of the best passage for each grade, at 10 passages and for every tenfold of that. */
const HIGH = { atTen: 0.36, perTenfold: 0.03 };
const LOW = { atTen: 0.19, perTenfold: 0.05 };

// Where the model does not know the script, relevance is the share of words alone, and a paraphrase shares few.
const LOW_BY_WORDS = 0.08;

/**
 * Grades a retrieval by its best passage alone; a language model judges better and overrules it. The more passages are
 * searched, the nearer the best of them comes to any question, so the floors rise with their number. They were chosen
 * on one half of the evaluation set (`npm run eval:confidence`).
 */
export function confidenceOf({ passages, chunksInScope, question }: Retrieval): Confidence {
  const relevance = Math.max(0, ...passages.map((passage) => passage.relevance));
  if (passages.length > 0 && relevance >= floor(HIGH, chunksInScope)) return "high";
  const { knownShare } = question;
  const low = knownShare * floor(LOW, chunksInScope) + (1 - knownShare) * LOW_BY_WORDS;
  return passages.length > 0 && relevance >= low ? "low" : "none";
}

function floor({ atTen, perTenfold }: typeof HIGH, chunks: number): number {
  return atTen + perTenfold * Math.log10(Math.max(1, chunks) / 10);
}
