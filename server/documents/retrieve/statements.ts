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
    names:
      /(?<!\boff[- ])\b(?:balance sheets?|statements? of (?:consolidated )?financial (?:position|condition))\b/gi,
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
/** The words before the name in a title: the company and "Condensed Consolidated". */
const MAX_WORDS_BEFORE = 6;
/** The rest of a title: nothing, the unit, or the periods. "Balance sheet data" and "balance sheet components" are other tables. */
const AFTER_NAME =
  /^\s*(?:$|[(\d—–:-]|(?:for|as|at|years?|fiscal|periods?|three|six|nine|twelve|in|unaudited|continued|dollars|amounts|millions|thousands|january|february|march|april|may|june|july|august|september|october|november|december)\b)/i;

/** "Balance sheets at December 31, 2022 and 2021 38": the years look like columns, the last number is that of a page. */
const INDEX_ENTRY = /\b(?:19|20)\d\d \d{1,3}$/;

/**
 * The terms of the statements that a chunk is part of: a title above it is their name, and it has rows of figures. A
 * sentence that mentions the cash flow statement is not part of it, nor is an entry of the table of contents.
 */
export function statementTerms({
  text,
  heading = "",
}: {
  text: string;
  heading?: string | undefined;
}): StatementTerm[] {
  const lines = text.split("\n");
  // The headings above a quote come without a text.
  if (text !== "" && !lines.some(isRow)) return [];
  const above = heading.split(" > ").filter((title) => !INDEX_ENTRY.test(title));
  const titles = [...above, ...lines.filter(isHeadingLine)];
  return STATEMENTS.flatMap(({ term, names }) =>
    titles.some((title) => isTitleOf(names, title)) ? [term] : [],
  );
}

function isTitleOf(names: RegExp, title: string): boolean {
  return [...title.matchAll(names)].some(
    ({ 0: name, index }) =>
      AFTER_NAME.test(title.slice(index + name.length)) &&
      title.slice(0, index).trim().split(/\s+/).length <= MAX_WORDS_BEFORE,
  );
}

function isHeadingLine(line: string): boolean {
  return line.length <= MAX_HEADING && !/[.,;:!?]$|\s\d{1,3}$/.test(line.trim());
}

function isRow(line: string): boolean {
  return (
    line.length <= 2 * MAX_HEADING && /\p{L}.*\d.*[\d)%—–-]$|\p{L}.*\s\$?\(?\d[\d.,]*\)?$/u.test(line.trim())
  );
}
