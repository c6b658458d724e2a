import { type NamedTerm, takeNames } from "./take-names.ts";

/** The term of a financial statement in the index. */
export type StatementTerm = "cashflowstatement" | "balancesheet" | "incomestatement" | "equitystatement";

/** The financial statements by the names that reports and questions use for them. */
const STATEMENTS: readonly (NamedTerm & { term: StatementTerm })[] = [
  {
    term: "cashflowstatement",
    names: /\b(?:statements? of (?:consolidated )?cash ?flows?|cash ?flows? statements?)\b/gi,
  },
  {
    term: "balancesheet",
    names: /\b(?:balance sheets?|statements? of (?:consolidated )?financial (?:position|condition))\b/gi,
  },
  {
    term: "incomestatement",
    names:
      /\b(?:statements? of (?:consolidated )?(?:operations|income|earnings|profit (?:and|or) loss)|(?:income|earnings|profit (?:and|or) loss|P&L) (?:statements?|accounts?))\b/gi,
  },
  {
    term: "equitystatement",
    names: /\bstatements? of (?:consolidated )?(?:changes in )?(?:(?:share|stock)holders['’]* )?equity\b/gi,
  },
];

/** The statements that a question names, each with its names there, and the rest of the question. */
export function namedStatements(question: string): {
  statements: { term: StatementTerm; words: string }[];
  rest: string;
} {
  const { found, rest } = takeNames(question, STATEMENTS);
  return { statements: found, rest };
}

const MAX_HEADING = 110;

/**
 * The terms of the statements that a chunk is part of: their names are among its headings. A sentence that mentions the
 * cash flow statement is no part of it, nor is an entry of the table of contents.
 */
export function statementTerms({
  text,
  heading = "",
}: {
  text: string;
  heading?: string | undefined;
}): StatementTerm[] {
  const lines = [...heading.split(" > "), ...text.split("\n").filter(isHeadingLine)];
  return STATEMENTS.flatMap(({ term, names }) =>
    lines.some((line) => line.search(names) >= 0) ? [term] : [],
  );
}

function isHeadingLine(line: string): boolean {
  return line.length <= MAX_HEADING && !/[.,;:!?]$|\s\d{1,3}$/.test(line.trim());
}
