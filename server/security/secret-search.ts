import { decodeEscapes } from "./decode-escapes.ts";
import { foldCase } from "./fold-case.ts";
import { createTextSearch, mergeRanges, type TextSearch } from "./text-search.ts";

/** Such as JSON in JSON in a URL. */
export const MAX_DECODINGS = 3;

/** Finds the forms in any letter case, in the text and in what its escapes stand for. */
export function createSecretSearch(forms: Iterable<string>): TextSearch {
  const patterns = [...forms];
  const search = createTextSearch(patterns);
  const shortest = patterns.reduce((least, { length }) => Math.min(least, length), Infinity);
  return {
    findRanges(source) {
      // Most texts are short, and an escape is never shorter than the character that it encodes.
      if (source.length < shortest) return [];
      const ranges = search.findRanges(foldCase(source));
      let text = source;
      let toSource = (at: number): number => at;
      for (let decodings = 0; decodings < MAX_DECODINGS; decodings++) {
        const decoded = decodeEscapes(text);
        if (decoded === undefined) break;
        const toSourceBefore = toSource;
        toSource = (at) => toSourceBefore(decoded.starts[at] as number);
        for (const { start, end } of search.findRanges(foldCase(decoded.text)))
          ranges.push({ start: toSource(start), end: toSource(end) });
        ({ text } = decoded);
      }
      return mergeRanges(ranges);
    },
  };
}
