import { latinLanguage } from "./terms.ts";

const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’&-]*/gu;
/** The word before ended a sentence, or there is none. */
const STARTS_SENTENCE = /(?:^|[.!?:])\W*$/u;
/** Also periods and abbreviations of business reports, which seldom write them out alike. */
const NO_NAME =
  /^(?:I(?:['’]\p{L}+)?|Mrs?|Ms|Dr|[FC]Y['’]?\d*|Q[1-4]|H[12]|R&D|D&A|SG&A|PP&E|P&L|M&A|COGS|EPS)$/u;

/**
 * The names in a question: words with a capital inside a sentence. Only in English, because other languages write nouns
 * with a capital or not even names.
 */
export function namesIn(question: string): string[] {
  const isCapitalised = !/(?:^|\s)\p{Ll}/u.test(question);
  if (isCapitalised || latinLanguage(question) !== "en") return [];
  return [...question.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    const isName = /^\p{Lu}/u.test(word) && !NO_NAME.test(word);
    return isName && !STARTS_SENTENCE.test(question.slice(0, index)) ? [word] : [];
  });
}

const MIN_MISSPELLED = 5;

/** Whether a text contains a name, also misspelled by one letter or with its letters in another order: "Ghandi". */
export function mentions(text: string, name: string): boolean {
  const asked = plain(name);
  const sorted = sortedLetters(asked);
  return [...text.matchAll(WORD)].some(([word]) => {
    const found = plain(word);
    if (found === asked) return true;
    const isAlike = /^\p{Lu}/u.test(word) && asked.length >= MIN_MISSPELLED && found[0] === asked[0];
    return isAlike && (differsByOne(found, asked) || sortedLetters(found) === sorted);
  });
}

const plain = (word: string): string =>
  word
    .replace(/['’]s$/u, "")
    .normalize("NFKC")
    .toLowerCase();
const sortedLetters = (word: string): string => [...word].sort().join("");

/** One letter is missing, added or another. */
function differsByOne(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return Math.max(a.length, b.length) - start - end <= 1;
}
