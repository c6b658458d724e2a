const WORD = /[\p{L}\p{N}\p{M}]+/gu;
// Scripts without spaces between words.
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー々]/u;
const HAN_ONLY = /^[\p{sc=Han}々]+$/u;
const HANGUL_ONLY = /^\p{sc=Hangul}+$/u;

// The dictionaries belong to the scripts: the locale does not change the words.
const segmenter = new Intl.Segmenter("zh", { granularity: "word" });

/** The words of a normalized text, in order. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const run of text.match(WORD) ?? []) {
    if (UNSPACED.test(run)) for (const { segment } of segmenter.segment(run)) words.push(...parts(segment));
    else words.push(...parts(run));
  }
  return words;
}

/**
 * Long Chinese words as pairs of characters: a dictionary cuts the same name differently in two sentences. Korean words
 * too: particles are attached to the noun.
 */
function parts(word: string): string[] {
  if (word.length < 3 || !(HAN_ONLY.test(word) || HANGUL_ONLY.test(word))) return [word];
  const characters = [...word];
  return characters.length < 3
    ? [word]
    : characters.slice(1).map((character, i) => (characters[i] ?? "") + character);
}
