import type { LexicalResult, LexicalStore } from "./lexical.ts";
import { namedLineItems } from "./line-items.ts";
import { namedStatements } from "./statements.ts";
import { termsOf, termVariants } from "./terms.ts";
import type { SearchScope } from "./vector-index.ts";

export interface QuestionTerms extends LexicalResult {
  /** The terms of the question, without repetition. */
  terms: string[];
}

/**
 * Searches the terms of a question. A financial statement or a line of one that it names is one term, if a document in
 * scope contains it. Where its language is not recognized, a term that no chunk of the scope contains gives way to the
 * most frequent term that its word has in another language.
 */
export async function searchQuestionTerms(
  query: string,
  scope: SearchScope,
  limit: number,
  store: LexicalStore,
): Promise<QuestionTerms> {
  const { financial, rest } = financialTerms(query);
  const own = [...new Set([...termsOf(rest), ...financial.map(({ term }) => term)])];
  const first = await store.searchTerms(scope, own, limit);
  const isInScope = ({ term }: FinancialTerm): boolean => (first.statistics.containing.get(term) ?? 0) > 0;
  const isKnown = financial.every(isInScope);
  const known = financial.flatMap((named) => (isInScope(named) ? [named.term] : termsOf(named.words)));
  const terms = isKnown ? own : [...new Set([...termsOf(rest), ...known])];
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

interface FinancialTerm {
  term: string;
  /** What the question calls it; empty where it only implies it. */
  words: string;
}

/**
 * The statements and line items that a question names, and the rest of the question. A line item implies its statement,
 * unless the question names one: other pages mention capital expenditures, the cash flow statement lists them.
 */
function financialTerms(question: string): { financial: FinancialTerm[]; rest: string } {
  const { statements, rest } = namedStatements(question);
  const named = namedLineItems(rest);
  const implied = statements.length > 0 ? [] : new Set(named.items.map(({ statement }) => statement));
  return {
    financial: [...statements, ...named.items, ...[...implied].map((term) => ({ term, words: "" }))],
    rest: named.rest,
  };
}
