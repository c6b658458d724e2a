/** The term of a financial statement in the index. */
export type StatementTerm = "cashflowstatement" | "balancesheet" | "incomestatement" | "equitystatement";

/** The financial statements by the names that reports and questions use for them. */
const STATEMENTS: [term: StatementTerm, name: RegExp][] = [
  ["cashflowstatement", /\b(?:statements? of (?:consolidated )?cash ?flows?|cash ?flows? statements?)\b/gi],
  [
    "balancesheet",
    /\b(?:balance sheets?|statements? of (?:consolidated )?financial (?:position|condition))\b/gi,
  ],
  [
    "incomestatement",
    /\b(?:statements? of (?:consolidated )?(?:operations|income|earnings|profit (?:and|or) loss)|(?:income|earnings|profit (?:and|or) loss|P&L) (?:statements?|accounts?))\b/gi,
  ],
  [
    "equitystatement",
    /\bstatements? of (?:consolidated )?(?:changes in )?(?:(?:share|stock)holders['’]* )?equity\b/gi,
  ],
];

/** The statements that a question names, each with its names there, and the rest of the question. */
export function namedStatements(question: string): {
  statements: { term: StatementTerm; words: string }[];
  rest: string;
} {
  let rest = question;
  const statements = STATEMENTS.flatMap(([term, name]) => {
    const words = rest.match(name)?.join(" ");
    if (words === undefined) return [];
    rest = rest.replace(name, " ");
    return [{ term, words }];
  });
  return { statements, rest };
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
  return STATEMENTS.flatMap(([term, name]) => (lines.some((line) => line.search(name) >= 0) ? [term] : []));
}

function isHeadingLine(line: string): boolean {
  return line.length <= MAX_HEADING && !/[.,;:!?]$|\s\d{1,3}$/.test(line.trim());
}
