/**
 * Periods and abbreviations of business reports in words, so that "FY2023" finds "2023" and "Q3" finds "third quarter".
 * Their letters tell more than the lower case leaves: "1H24" is half a year, "1h24" a time.
 */
export function expandReportWords(text: string): string {
  if (!MAY_CONTAIN.test(text)) return text;
  let expanded = text
    .replace(FISCAL_YEAR, (_, year: string) => ` ${fullYear(year)}`)
    .replace(QUARTER, (_, a?: string, b?: string, year?: string) => period(a ?? b, "quarter", year))
    .replace(HALF, (_, a?: string, b?: string, year?: string) => period(a ?? b, "half", year))
    .replace(ORDINAL, (_, number: string) => ORDINALS[Number(number) - 1] ?? number);
  for (const [abbreviation, words] of ABBREVIATIONS) expanded = expanded.replace(abbreviation, words);
  return expanded;
}

/** The years that a question names as fiscal ("FY2023", "fiscal 2023"). */
export function fiscalYears(question: string): string[] {
  return [...question.matchAll(FISCAL), ...question.matchAll(FISCAL_YEAR)].map(([, year = ""]) =>
    fullYear(year),
  );
}

/** Most texts have none of it, and every text is analysed. */
const MAY_CONTAIN =
  /\b(?:[FC]Y|Q[1-4]|[1-4]Q|H[12]|[12]H|[1-4](?:st|nd|rd|th) |[A-Z]{1,2}&[A-Z]|COGS|CAPEX|OPEX|EPS)/i;

const FISCAL_YEAR = /\b(?:FY|CY)[\s-]?['’]?((?:19|20)\d\d|\d\d)\b/gi;
const FISCAL = /\bfiscal (?:year )?((?:19|20)\d\d)\b/gi;
const QUARTER = /\b(?:Q([1-4])|([1-4])Q)(?:['’]?((?:19|20)\d\d|\d\d))?\b/gi;
const HALF = /\b(?:H([12])|([12])H)(?:['’]?((?:19|20)\d\d|\d\d)\b|(?=\s(?:19|20)\d\d\b))/g;
const ORDINAL = /\b([1-4])(?:st|nd|rd|th)(?=[\s-](?:quarter|half)\b)/gi;
const ORDINALS = ["first", "second", "third", "fourth"];

function period(number: string | undefined, unit: string, year: string | undefined): string {
  return `${ORDINALS[Number(number) - 1] ?? ""} ${unit}${year === undefined ? "" : ` ${fullYear(year)}`}`;
}

const fullYear = (year: string): string => (year.length === 4 ? year : `20${year}`);

/** Cut at the "&", they would be single letters. */
const ABBREVIATIONS: [RegExp, string][] = [
  [/\bR&D\b/gi, "research and development"],
  [/\bD&A\b/gi, "depreciation and amortization"],
  [/\bSG&A\b/gi, "selling, general and administrative"],
  [/\bPP&E\b/gi, "property, plant and equipment"],
  [/\bP&L\b/gi, "profit and loss"],
  [/\bM&A\b/gi, "mergers and acquisitions"],
  [/\bCOGS\b/gi, "cost of goods sold"],
  [/\bCAPEX\b/gi, "capital expenditures"],
  [/\bOPEX\b/gi, "operating expenses"],
  [/\bEPS\b/g, "earnings per share"],
];
