import type { StatementTerm } from "./statements.ts";
import { type NamedTerm, takeNames } from "./take-names.ts";

interface LineItem extends NamedTerm {
  /** The statement that it is a line of. */
  statement: StatementTerm;
}

/**
 * Lines of financial statements that have several names. A name may contain that of a later entry: purchases of
 * property are capital expenditures, not property.
 */
const LINE_ITEMS: LineItem[] = [
  {
    term: "capitalexpenditure",
    statement: "cashflowstatement",
    names:
      /\b(?:capital (?:expenditures?|spending)|cap-?ex|(?:purchases?|additions?|payments?|expenditures?|investments?) (?:of|to|for|in) (?:new )?(?:property|equipment|fixed assets|PP&E)(?:,? plant)?(?:,? (?:and|&) equipment)?)\b/gi,
  },
  {
    term: "operatingcashflow",
    statement: "cashflowstatement",
    names:
      /\b(?:(?:free|operating) cash ?flows?|cash ?flows? from operat(?:ions|ing activities)|cash (?:provided|generated|used)?(?: by| in| from| \(used in\)){0,2} operat(?:ions|ing activities))\b/gi,
  },
  {
    term: "depreciationandamortization",
    statement: "cashflowstatement",
    names: /\b(?:D&A|depreciation(?:, depletion)?,? (?:and|&) amorti[sz]ation)\b/gi,
  },
  {
    term: "sharerepurchase",
    statement: "cashflowstatement",
    names:
      /\b(?:(?:share|stock) (?:buy-?backs?|repurchases?)|buy-?backs?|(?:re)?purchases? of (?:common |treasury )?(?:shares|stock)|acquire common (?:shares|stock))\b/gi,
  },
  {
    term: "dividendpayment",
    statement: "cashflowstatement",
    names: /\b(?:dividends? (?:paid|payments?|payouts?)|payments? of (?:cash )?dividends|cash dividends)\b/gi,
  },
  {
    term: "sharecompensation",
    statement: "cashflowstatement",
    names: /\b(?:share|stock|equity)(?:-based)? compensation\b/gi,
  },
  {
    term: "costofsales",
    statement: "incomestatement",
    names: /\b(?:COGS|costs? of (?:(?:goods|products|merchandise|services) sold|sales|revenues?))\b/gi,
  },
  {
    term: "grossprofit",
    statement: "incomestatement",
    names: /\bgross (?:profit|margin|income)s?\b/gi,
  },
  {
    term: "sellingandadministrative",
    statement: "incomestatement",
    names: /\b(?:SG&A|selling(?:,? general)?,? (?:and|&) administrative)\b/gi,
  },
  {
    term: "researchanddevelopment",
    statement: "incomestatement",
    names: /\b(?:R&D|research (?:and|&) development|research costs?)\b/gi,
  },
  {
    term: "operatingprofit",
    statement: "incomestatement",
    names:
      /\b(?:operating (?:income|profit|earnings|loss|margin)|(?:income|profit|earnings|loss) from operations|EBIT)\b/gi,
  },
  {
    term: "earningspershare",
    statement: "incomestatement",
    names: /\b(?:(?:net )?(?:earnings|income|profit|loss) per (?:diluted |basic )?(?:common )?share|EPS)\b/gi,
  },
  {
    term: "netincome",
    statement: "incomestatement",
    names: /\b(?:net (?:income|earnings|profit|loss)|profit (?:for the (?:year|period)|after tax))\b/gi,
  },
  {
    term: "revenue",
    statement: "incomestatement",
    names:
      /\b(?<!\b(?:unearned|deferred) )(?:(?:net|total) (?:operating )?(?:sales|revenues?)|revenues?|turnover)\b/gi,
  },
  {
    term: "receivables",
    statement: "balancesheet",
    names: /\b(?:(?:accounts|trade) )?receivables?(?: from customers)?\b/gi,
  },
  {
    term: "payables",
    statement: "balancesheet",
    names: /\b(?:(?:accounts|trade) payables?|payables? to suppliers)\b/gi,
  },
  { term: "inventory", statement: "balancesheet", names: /\b(?:merchandise )?inventor(?:y|ies)\b/gi },
  {
    term: "fixedassets",
    statement: "balancesheet",
    names: /\b(?:PP&E|property,? plant,? (?:and|&) equipment|property (?:and|&) equipment|fixed assets)\b/gi,
  },
  {
    term: "workingcapital",
    statement: "balancesheet",
    names:
      /\b(?:working capital|(?:current|quick|liquidity) ratio|(?:total )?current (?:assets|liabilities))\b/gi,
  },
];

/** The terms of the line items that a text names. */
export function lineItemTerms(text: string): string[] {
  return namedLineItems(text).items.map(({ term }) => term);
}

/** A line item that a text names. */
export interface NamedLineItem extends Pick<LineItem, "term" | "statement"> {
  /** Its names in the text. */
  words: string;
}

/** The line items that a text names, and the rest of the text. */
export function namedLineItems(text: string): { items: NamedLineItem[]; rest: string } {
  const { found, rest } = takeNames(text.replace(/\s+/g, " "), LINE_ITEMS);
  return { items: found, rest };
}
