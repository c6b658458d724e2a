import { latinLanguage } from "./terms.ts";

const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’&-]*/gu;
/** The word before ended a sentence, or there is none. */
const STARTS_SENTENCE = /(?:^|[.!?:])\W*$/u;
/** Also periods and abbreviations of business reports, which seldom write them out alike. */
const NO_NAME =
  /^(?:I(?:['’]\p{L}+)?|Mrs?|Ms|Dr|Mmes?|Mlle|Sra?|Srta|Dra|Sig(?:ra)?|[FC]Y['’]?\d*|Q[1-4]|H[12]|R&D|D&A|SG&A|PP&E|P&L|M&A|COGS|EPS|USD|EUR|GBP|CHF)$/u;

/** Languages that write no other words with a capital inside a sentence. */
const CAPITALS_ARE_NAMES = new Set(["en", "fr", "es", "it", "pt"]);
/** "d'Anvers", "l'Alhambra" */
const ELISION = /(?<!\p{L})(?:[cdjlmnst]|qu|dell|nell)['’](?=\p{Lu})/giu;
const GERMAN_TITLE = /(?:^|\s)(?:Herrn?|Frau|Familie|Firma|Dr\.|Prof\.)(?:\s+(?:Dr\.|Prof\.))*\s+$/u;

/**
 * The names in a question: words with a capital inside a sentence. German writes all nouns with one, so only a word after
 * "Herr" or "Frau" is a name; other languages write not even names with one.
 */
export function namesIn(question: string): string[] {
  const isCapitalised = !/(?:^|\s)\p{Ll}/u.test(question);
  const language = latinLanguage(question) ?? "";
  const isGerman = language === "de";
  if (isCapitalised || !(isGerman || CAPITALS_ARE_NAMES.has(language))) return [];
  const text = language === "en" ? question : question.replace(ELISION, (letters) => `${letters} `);
  return [...text.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    const before = text.slice(0, index);
    const isName = /^\p{Lu}/u.test(word) && !NO_NAME.test(word);
    const isFirst = STARTS_SENTENCE.test(before);
    return isName && (isGerman ? GERMAN_TITLE.test(before) : !isFirst) ? [word] : [];
  });
}

const MIN_MISSPELLED = 5;

/** Whether a text contains a name, also misspelled by one letter or with its letters in another order: "Ghandi". */
export function mentions(text: string, name: string): boolean {
  const asked = plain(name);
  if (/^\p{Lu}{2,5}$/u.test(name) && spellsOut(text, name)) return true;
  const sorted = sortedLetters(asked);
  return [...text.matchAll(WORD)].some(([word]) => {
    const found = plain(word);
    if (found === asked) return true;
    const isAlike = /^\p{Lu}/u.test(word) && asked.length >= MIN_MISSPELLED && found[0] === asked[0];
    return isAlike && (differsByOne(found, asked) || sortedLetters(found) === sorted);
  });
}

/** "United Kingdom" mentions "UK". */
function spellsOut(text: string, initials: string): boolean {
  const words = [...initials]
    .map((letter) => `${letter}\\p{L}+`)
    .join("[\\s-]+(?:(?:of|the|for|and|de|der|für)\\s+)*");
  return new RegExp(`(?<!\\p{L})${words}`, "u").test(text);
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
