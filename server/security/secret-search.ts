import { atOnce, type PartedWork } from "../lib/in-turns.ts";
import { decodeEscapes, decodeEscapesInParts } from "./decode-escapes.ts";
import { foldCase, foldCaseInParts } from "./fold-case.ts";
import { createTextSearch, mergeRanges, type TextRange, type TextSearch } from "./text-search.ts";

/** Longer texts are searched in parts. */
export const LONG_TEXT = 64 * 1024;

/** Such as JSON in JSON in a URL. */
export const MAX_DECODINGS = 3;

/** Finds the forms in any letter case, in the text and in what its escapes stand for. */
export function createSecretSearch(forms: Iterable<string>): TextSearch {
  const patterns = [...forms];
  const search = createTextSearch(patterns);
  const shortest = patterns.reduce((least, { length }) => Math.min(least, length), Infinity);
  function* findRangesInParts(source: string): PartedWork<TextRange[]> {
    // Most texts are short, and an escape is never shorter than the character that it encodes.
    if (source.length < shortest) return [];
    // Three more generators for each short text would take half as much time again.
    const isLong = source.length > LONG_TEXT;
    function* find(text: string): PartedWork<TextRange[]> {
      return yield* search.findRangesInParts(yield* foldCaseInParts(text));
    }
    const ranges = isLong ? yield* find(source) : search.findRanges(foldCase(source));
    let text = source;
    let toSource = (at: number): number => at;
    for (let decodings = 0; decodings < MAX_DECODINGS; decodings++) {
      const decoded = isLong ? yield* decodeEscapesInParts(text) : decodeEscapes(text);
      if (decoded === undefined) break;
      const toSourceBefore = toSource;
      toSource = (at) => toSourceBefore(decoded.starts[at] as number);
      const found = isLong ? yield* find(decoded.text) : search.findRanges(foldCase(decoded.text));
      for (const { start, end } of found) ranges.push({ start: toSource(start), end: toSource(end) });
      ({ text } = decoded);
    }
    return mergeRanges(ranges);
  }

  return {
    findRangesInParts,
    findRanges: (source) => (source.length < shortest ? [] : atOnce(findRangesInParts(source))),
  };
}
