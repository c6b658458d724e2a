import type { LexicalResult, LexicalStore } from "./lexical.ts";
import { namedStatements } from "./statements.ts";
import { termsOf, termVariants } from "./terms.ts";
import type { SearchScope } from "./vector-index.ts";

export interface QuestionTerms extends LexicalResult {
  /** The terms of the question, without repetition. */
  terms: string[];
}

/**
 * Searches the terms of a question. A statement that it names ("balance sheet") is one term, if a document in scope has
 * a statement of this kind. Where its language is not recognized, a term that no chunk of the scope contains
 * gives way to the most frequent term that its word has in another language.
 */
export async function searchQuestionTerms(
  query: string,
  scope: SearchScope,
  limit: number,
  store: LexicalStore,
): Promise<QuestionTerms> {
  const { statements, rest } = namedStatements(query);
  const own = [...new Set([...termsOf(rest), ...statements])];
  const first = await store.searchTerms(scope, own, limit);
  const isKnown = statements.every((statement) => first.statistics.containing.get(statement));
  const terms = isKnown ? own : [...new Set(termsOf(query))];
  const found = isKnown ? first : await store.searchTerms(scope, terms, limit);
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
