import type { LexicalResult, LexicalStore } from "./lexical.ts";
import { termsOf, termVariants } from "./terms.ts";
import type { SearchScope } from "./vector-index.ts";

export interface QuestionTerms extends LexicalResult {
  /** The terms of the question, without repetition. */
  terms: string[];
}

/**
 * Searches the terms of a question. Where its language is not recognized, a term that no chunk of the scope contains
 * gives way to the most frequent term that its word has in another language.
 */
export async function searchQuestionTerms(
  query: string,
  scope: SearchScope,
  limit: number,
  store: LexicalStore,
): Promise<QuestionTerms> {
  const terms = [...new Set(termsOf(query))];
  const found = await store.searchTerms(scope, terms, limit);
  const variants = termVariants(query);
  const missing = terms.filter(
    (term) => !found.statistics.containing.get(term) && variants.get(term)?.length,
  );
  if (missing.length === 0) return { ...found, terms };
  const others = [...new Set(missing.flatMap((term) => variants.get(term) ?? []))];
  const again = await store.searchTerms(scope, others, limit);
  const countOf = (term: string): number => again.statistics.containing.get(term) ?? 0;
  const replaced = terms.map((term) => {
    if (!missing.includes(term)) return term;
    const best = (variants.get(term) ?? []).toSorted((a, b) => countOf(b) - countOf(a))[0];
    return best !== undefined && countOf(best) > 0 ? best : term;
  });
  return {
    terms: [...new Set(replaced)],
    statistics: {
      chunks: found.statistics.chunks,
      containing: new Map([...again.statistics.containing, ...found.statistics.containing]),
    },
    keys: [...found.keys, ...again.keys],
  };
}
