const DELIMITERS = [",", ";", "\t", "|"] as const;
const SAMPLE_RECORDS = 20;
const HEADER_CHARACTERS = 80;

/** Spreadsheet programs write "sep=;" before the header. */
const SEPARATOR_LINE = /^\uFEFF?sep=(.)(?:\r\n|\n|\r)/i;

export function withoutSeparatorLine(text: string): string {
  return text.replace(SEPARATOR_LINE, "");
}

/**
 * Records of a delimited text. A quoted cell may contain the delimiter, line breaks and doubled quotes. `exact` keeps the
 * spaces around cells.
 */
export function* csvRecords(text: string, delimiter: string, exact = false): Generator<string[]> {
  let record: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell: string;
    if (text[at] === '"') {
      const end = closingQuote(text, at + 1);
      cell = text.slice(at + 1, end).replaceAll('""', '"');
      at = Math.min(end + 1, text.length);
    } else cell = "";
    // Text after a closing quote belongs to the cell: a broken file loses nothing.
    const next = cellEnd(text, at, delimiter);
    const whole = cell + text.slice(at, next);
    record.push(exact ? whole : whole.trim());
    at = next + 1;
    if (text[next] === delimiter) {
      if (at >= text.length) record.push("");
      continue;
    }
    if (text[next] === "\r" && text[at] === "\n") at += 1;
    yield record;
    record = [];
  }
  if (record.length > 0) yield record;
}

function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at === -1 ? text.length : at;
}

function cellEnd(text: string, from: number, delimiter: string): number {
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === delimiter || char === "\n" || char === "\r") return at;
  }
  return text.length;
}

/** The delimiter that the text names, or with which the first records have the same number of cells. */
export function csvDelimiter(text: string, isCut: boolean): string | undefined {
  const named = SEPARATOR_LINE.exec(text)?.[1];
  if (named !== undefined) return named;
  return DELIMITERS.find((delimiter) => isTable(sampleRecords(text, delimiter, isCut), delimiter));
}

function sampleRecords(text: string, delimiter: string, isCut: boolean): string[][] {
  const records: string[][] = [];
  for (const record of csvRecords(text, delimiter)) {
    if (record.length > 1 || record[0] !== "") records.push(record);
    if (records.length > SAMPLE_RECORDS) break;
  }
  // The last record of a sample is cut off.
  return isCut && records.length <= SAMPLE_RECORDS ? records.slice(0, -1) : records;
}

/** Prose has commas too, but not the same number in every line, and a blank follows each. */
function isTable(records: readonly string[][], delimiter: string): boolean {
  const [header] = records;
  if (header === undefined || header.length < 2 || records.length < 2) return false;
  const isNamed = header.every((cell) => cell !== "" && cell.length <= HEADER_CHARACTERS);
  const isEven = records.every((record) => record.length === header.length);
  const isDistinct = new Set(header).size === header.length;
  return isNamed && isEven && isDistinct && (delimiter !== "," || records.length > 2 || header.length > 2);
}
