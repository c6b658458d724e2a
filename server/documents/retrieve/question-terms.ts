import type { LexicalResult, LexicalStore } from "./lexical.ts";
import { namedLineItems } from "./line-items.ts";
import type { QuestionContent } from "./question-content.ts";
import { statementsOfRatios } from "./ratios.ts";
import { namedStatements, type StatementTerm } from "./statements.ts";
import { termsOf, termVariants } from "./terms.ts";
import type { SearchScope } from "./vector-index.ts";

export interface QuestionTerms extends LexicalResult {
  /** The terms of the question, without repetition. */
  terms: string[];
  /** The financial statements that the question is about. */
  statements: StatementTerm[];
}

/**
 * Searches the terms of a question. A financial statement or a line of one that it names is one term, if a document in
 * scope contains it. Where its language is not recognized, a term that no chunk of the scope contains gives way to the
 * most frequent term that its word has in another language.
 */
export async function searchQuestionTerms(
  question: QuestionContent,
  scope: SearchScope,
  limit: number,
  store: LexicalStore,
): Promise<QuestionTerms> {
  const { financial, statements, rest } = financialTerms(question);
  const own = [...new Set([...termsOf(rest), ...financial.map(({ term }) => term)])];
  const first = await store.searchTerms(scope, own, limit);
  const isInScope = ({ term }: FinancialTerm): boolean => (first.statistics.containing.get(term) ?? 0) > 0;
  const isKnown = financial.every(isInScope);
  const known = financial.flatMap((named) => (isInScope(named) ? [named.term] : termsOf(named.words)));
  const terms = isKnown ? own : [...new Set([...termsOf(rest), ...known])];
  const found = isKnown ? first : await store.searchTerms(scope, terms, limit);
  const variants = termVariants(question.text);
  const missing = terms.filter(
    (term) => !found.statistics.containing.get(term) && variants.get(term)?.length,
  );
  if (missing.length === 0) return { ...found, terms, statements };
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
    statements,
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

/** Reasons and plans are in the discussion of the statements, and figures of segments in a note. */
const BEYOND_STATEMENTS =
  /\b(?:why|caus(?:e|es|ed)|dr(?:ove|ives?|iven|ivers?)|reasons?|explain(?:s|ed)?|contribut(?:e|es|ed)|segments?|regions?|geograph(?:y|ic|ies)|countr(?:y|ies)|outside|categor(?:y|ies)|product lines?|offerings?|quarterly|each quarter|plan(?:s|ned)?|expect(?:s|ed)?|outlook|guidance|forecasts?)\b/i;

/**
 * The statements and line items that a question names, and the rest of the question. A line item or a ratio implies its
 * statements, unless the question names one: other pages mention capital expenditures, the cash flow statement lists
 * them. Instructions count only for what they name: "explain why" in one of them asks for no reason.
 */
function financialTerms({ text, content }: QuestionContent): {
  financial: FinancialTerm[];
  statements: StatementTerm[];
  rest: string;
} {
  const { statements: named, rest } = namedStatements(text);
  const { items } = namedLineItems(rest);
  const contentRest = namedStatements(content).rest;
  const implied = BEYOND_STATEMENTS.test(contentRest)
    ? []
    : [...items.map(({ statement }) => statement), ...statementsOfRatios(rest)];
  const statements = [...new Set(named.length > 0 ? named.map(({ term }) => term) : implied)];
  const words = new Map<string, string>(named.map((statement) => [statement.term, statement.words]));
  return {
    financial: [...statements.map((term) => ({ term, words: words.get(term) ?? "" })), ...items],
    statements,
    rest: namedLineItems(contentRest).rest,
  };
}
