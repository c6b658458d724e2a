import type { AnalysedQuestion } from "../retrieve/candidates.ts";
import type { Passage } from "../retrieve/retrieve.ts";
import { termsOf } from "../retrieve/terms.ts";

/** Every chunk is indexed with its title: title terms select the passage and say nothing about a sentence. */
export function weightsInside(
  { chunk }: Pick<Passage, "chunk">,
  { weights }: Pick<AnalysedQuestion, "weights">,
): Map<string, number> {
  const inTitle = new Set(termsOf(chunk.title));
  return new Map([...weights].filter(([term]) => !inTitle.has(term)));
}
