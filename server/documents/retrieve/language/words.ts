import { onFirstUse } from "../../../lib/first-use.ts";

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
// Scripts without spaces between words.
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー々]/u;
const HAN_ONLY = /^[\p{sc=Han}々]+$/u;
const HANGUL_ONLY = /^\p{sc=Hangul}+$/u;

// The dictionaries belong to the scripts: the locale does not change the words.
const segmenter = onFirstUse(() => new Intl.Segmenter("zh", { granularity: "word" }));

/** The words of a normalized text, in order. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const run of text.match(WORD) ?? []) {
    if (UNSPACED.test(run)) words.push(...segmentsOf(run));
    else words.push(...parts(run));
  }
  return words;
}

/** Pairs of characters too where the dictionary knows no word: in a name, or when Node was built without dictionaries. */
function segmentsOf(run: string): string[] {
  const segments = Array.from(segmenter().segment(run), ({ segment }) => segment);
  const isUnknown =
    segments.length > 1 && segments.every((segment) => HAN_ONLY.test(segment) && isSingle(segment));
  return isUnknown ? [...segments, ...pairs(segments)] : segments.flatMap(parts);
}

const isSingle = (segment: string): boolean => segment.length === 1 || [...segment].length === 1;
const pairs = (characters: readonly string[]): string[] =>
  characters.slice(1).map((character, i) => (characters[i] ?? "") + character);

/**
 * Long Chinese words as pairs of characters: a dictionary cuts the same name differently in two sentences. Korean words
 * too: particles are attached to the noun.
 */
function parts(word: string): string[] {
  if (word.length < 3 || !(HAN_ONLY.test(word) || HANGUL_ONLY.test(word))) return [word];
  const characters = [...word];
  return characters.length < 3 ? [word] : pairs(characters);
}
