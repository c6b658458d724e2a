import type { Confidence } from "../../../contract/documents.ts";
import type { Passage } from "../retrieve/retrieve.ts";

// On the evaluation set 0.36 refuses every off-topic question, and 2 of 248 answerable questions score below 0.38. Larger
// libraries raise both scores.
export const RELEVANCE_FLOOR = 0.38;
// "Can I get my money back?" shares no term with the refund policy and scores 0.44. The best of 45 off-topic questions
// scores 0.32.
const MEANING_FLOOR = 0.4;
// The sum of both scores below which a passage is not even near.
const NEAR_FLOOR = 0.5;

/** Grades the passages by their scores alone. A language model may judge better and overrules it. */
export function confidenceOf(passages: readonly Passage[]): Confidence {
  if (passages.some(({ relevance, cosine }) => relevance >= RELEVANCE_FLOOR || cosine >= MEANING_FLOOR))
    return "high";
  return passages.some(({ relevance, cosine }) => relevance + cosine >= NEAR_FLOOR) ? "low" : "none";
}
