/** Lower case and compatibility forms: full-width letters, half-width katakana, ligatures, Arabic presentation forms. */
export function normalizeText(text: string): string {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      // Tatweel stretches an Arabic word, soft hyphens and joiners are invisible.
      .replace(/[\u0640\u00ad\u200b-\u200f\u2060\ufeff]/g, "")
      .replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]/g, (digit) => String(digit.charCodeAt(0) & 15))
      // "pump's" is "pump", and "don't" must not leave a "t" behind.
      .replace(/['’](?:s|t|re|ve|ll|d|m)\b/g, "")
  );
}

// In these scripts a mark is an accent, a breathing or a vowel point that writers leave out. In others, such as
// Devanagari and Thai, a mark is a letter of the word.
const OPTIONAL_MARKS = /[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Arabic}\p{sc=Hebrew}]/u;

const LETTERS = new Map([
  ["ß", "ss"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["ø", "o"],
  ["đ", "d"],
  ["ð", "d"],
  ["ł", "l"],
  ["ı", "i"],
  ["þ", "th"],
  // Spellings of one Arabic letter: final ya, ta marbuta, Persian ya and kaf.
  ["\u0649", "\u064a"],
  ["\u0629", "\u0647"],
  ["\u06cc", "\u064a"],
  ["\u06a9", "\u0643"],
  ["\u0671", "\u0627"],
]);
const LETTER = new RegExp(`[${[...LETTERS.keys()].join("")}]`, "gu");

/** A word without accents and spelling variants: "é" is "e", "ё" is "е", every alef is one alef. */
export function foldWord(word: string): string {
  // eslint-disable-next-line no-control-regex
  if (/^[\x00-\x7f]*$/.test(word) || !OPTIONAL_MARKS.test(word)) return word;
  return word
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .replace(LETTER, (letter) => LETTERS.get(letter) ?? letter)
    .normalize("NFC");
}
