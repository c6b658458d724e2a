import { latinLanguageOf } from "./language/detect.ts";
import { foldWord, normalizeText } from "./language/fold.ts";
import { partsOfCompound } from "./language/german-compounds.ts";
import { stemsInOtherLanguages, stemWord } from "./language/stemmers.ts";
import { isStopWordOfOtherScript, latinStopWords, type LatinLanguage } from "./language/stop-words.ts";
import { wordsOf } from "./language/words.ts";

const MAX_LENGTH = 64;
const DEFAULT_LANGUAGE: LatinLanguage = "en";

/**
 * The terms of a text in any language: words without case, accents, stop words and endings. One analysis for documents
 * and questions makes SQLite and PostgreSQL find the same chunks.
 */
export function termsOf(text: string): string[] {
  const { words, language = DEFAULT_LANGUAGE } = contentWords(text);
  const terms: string[] = [];
  for (const word of words) {
    terms.push(stemWord(word, language));
    // A question asks for the "Frist" that the document calls "Kündigungsfrist", or the other way round.
    if (language === "de") for (const part of partsOfCompound(word)) terms.push(stemWord(part, language));
  }
  return terms;
}

/**
 * For each term of a text whose language is not recognized ("Mietpreis Wohnungen"), the terms that the same word has in
 * other languages.
 */
export function termVariants(text: string): Map<string, string[]> {
  const { words, language } = contentWords(text);
  if (language !== undefined) return new Map();
  return new Map(
    words.map((word) => [stemWord(word, DEFAULT_LANGUAGE), stemsInOtherLanguages(word, DEFAULT_LANGUAGE)]),
  );
}

/** The language of the Latin letters in a text; undefined where nothing shows it. */
export function latinLanguage(text: string): string | undefined {
  return contentWords(text).language;
}

function contentWords(text: string): { words: string[]; language: LatinLanguage | undefined } {
  const normalized = normalizeText(text);
  const all = wordsOf(normalized);
  const folded = all.map(foldWord);
  const language = latinLanguageOf(folded, normalized);
  const stopWords = latinStopWords().get(language ?? DEFAULT_LANGUAGE);
  const words = all.filter((word, i) => {
    const plain = folded[i] ?? word;
    return !stopWords?.has(plain) && !isStopWordOfOtherScript(plain);
  });
  return { words: words.map((word) => word.slice(0, MAX_LENGTH)), language };
}
