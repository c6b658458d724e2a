import type { StatementTerm } from "./statements.ts";

/** Ratios and totals that no report prints under this name, with the statements that hold the figures they are computed from. */
const RATIOS: readonly { names: RegExp; statements: readonly StatementTerm[] }[] = [
  {
    names:
      /\b(?:(?:quick|current|acid[- ]test|liquidity|working capital|leverage) ratio|liquidity (?:profile|position)|debt[- ]to[- ](?:equity|assets)|total (?:assets|liabilities|equity|debt))\b/i,
    statements: ["balancesheet"],
  },
  {
    names: /\b(?:interest coverage|(?:gross|operating|net|profit) (?:profit )?margins?)\b/i,
    statements: ["incomestatement"],
  },
  {
    names:
      /\b(?:days (?:payables?|sales|inventory) outstanding|D[PSI]O|(?:asset|inventory|receivables?|payables?) turnover|turn(?:s|ed)? over (?:its|their) inventor(?:y|ies)|cash conversion cycle|return on (?:(?:total|average) )?(?:assets|equity|(?:invested )?capital)|RO(?:A|E|IC))\b/i,
    statements: ["incomestatement", "balancesheet"],
  },
  { names: /\bEBITDA\b/i, statements: ["incomestatement", "cashflowstatement"] },
  {
    names: /\b(?:payout ratio|pa(?:y|ys|id) out (?:as|in) dividends)\b/i,
    statements: ["incomestatement", "cashflowstatement"],
  },
  {
    names:
      /\b(?:operating|operations|investing|financing),? (?:(?:and|or) )?(?:operating|operations|investing|financing)\b/i,
    statements: ["cashflowstatement"],
  },
  {
    names: /\bcapital[- ]intens(?:ive|ity)\b/i,
    statements: ["incomestatement", "balancesheet", "cashflowstatement"],
  },
];

/** The statements that hold the inputs of the ratios in a question. */
export function statementsOfRatios(question: string): StatementTerm[] {
  return [
    ...new Set(RATIOS.flatMap(({ names, statements }) => (question.search(names) >= 0 ? statements : []))),
  ];
}
