import type { Passage } from "../retrieve/retrieve.ts";

/** From this cosine on, passages of two documents are about the same. */
const SAME_SUBJECT = 0.6;
const DEDUCTION = 0.075;

/**
 * Orders passages by relevance, of which each passage of another document about the same subject that ranks higher takes
 * something off. Three handbooks or three annual reports are equally near to a question that names none of them, and
 * filled the first places with one subject. `vectorTrust` is how far the vectors can be trusted.
 */
export function demoteRepeats(passages: readonly Passage[], vectorTrust: number): Passage[] {
  let left = [...passages];
  const ordered: Passage[] = [];
  while (left.length > 0) {
    const best = left.reduce((a, b) => (b.relevance > a.relevance ? b : a));
    ordered.push(best);
    left = left
      .filter((passage) => passage !== best)
      .map((passage) => {
        if (!isSameSubject(passage, best)) return passage;
        return { ...passage, relevance: Math.max(0, passage.relevance - vectorTrust * DEDUCTION) };
      });
  }
  return ordered;
}

/** Passages of one document are not a repetition: an answer often takes several of them. */
function isSameSubject(a: Passage, b: Passage): boolean {
  if (a.chunk.documentId === b.chunk.documentId || !a.vector || !b.vector) return false;
  let cosine = 0;
  for (const [i, value] of a.vector.entries()) cosine += value * (b.vector[i] ?? 0);
  return cosine >= SAME_SUBJECT;
}
