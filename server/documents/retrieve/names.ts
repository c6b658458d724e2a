import { latinLanguage } from "./terms.ts";

const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu;
/** The word before ended a sentence, or there is none. */
const STARTS_SENTENCE = /(?:^|[.!?:])\W*$/u;
const NO_NAME = /^(?:I(?:['’]\p{L}+)?|Mrs?|Ms|Dr)$/u;

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
