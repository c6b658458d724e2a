import { cleanText } from "../clean-text.ts";
import { decodeText } from "../decode-text.ts";
import { allBytes, type Reader } from "../document-content.ts";
import { type NumberedLine, toLinePages } from "../line-pages.ts";
import { rowWithHeader } from "../table-rows.ts";
import { csvDelimiter, csvRecords, withoutSeparatorLine } from "./csv-records.ts";

const SAMPLE_CHARACTERS = 64 * 1024;

export const readCsv: Reader = async (source) => {
  const text = decodeText(await allBytes(source));
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  const delimiter = csvDelimiter(sample, sample.length < text.length) ?? ",";
  return { pages: toLinePages(rows(withoutSeparatorLine(text), delimiter), rowsOf), title: undefined };
};

export function rowsOf(first: number, last: number): string {
  return first === last ? `row ${first}` : `rows ${first}–${last}`;
}

/** Every row names its columns. Rows are numbered as a spreadsheet shows them: the header is row 1. */
function* rows(text: string, delimiter: string): Generator<NumberedLine> {
  let header: string[] | undefined;
  let number = 0;
  for (const record of csvRecords(text, delimiter)) {
    number += 1;
    const cells = record.map(cleanText);
    if (cells.every((cell) => cell === "")) continue;
    if (header === undefined) header = cells;
    else yield { number, text: rowWithHeader(header, cells) };
  }
}
