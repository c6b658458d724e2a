import { latinLanguageOf } from "./language/detect.ts";
import { foldWord, normalizeText } from "./language/fold.ts";
import { partsOfCompound } from "./language/german-compounds.ts";
import { stemWord } from "./language/stemmers.ts";
import { isStopWordOfOtherScript, LATIN_STOP_WORDS } from "./language/stop-words.ts";
import { wordsOf } from "./language/words.ts";

const MAX_LENGTH = 64;

/**
 * The terms of a text in any language: words without case, accents, stop words and endings. One analysis for documents
 * and questions makes SQLite and PostgreSQL find the same chunks.
 */
export function termsOf(text: string): string[] {
  const normalized = normalizeText(text);
  const words = wordsOf(normalized);
  const folded = words.map(foldWord);
  const language = latinLanguageOf(folded, normalized);
  const stopWords = LATIN_STOP_WORDS.get(language);
  const terms: string[] = [];
  for (const [i, word] of words.entries()) {
    const plain = folded[i] ?? word;
    if (stopWords?.has(plain) || isStopWordOfOtherScript(plain)) continue;
    terms.push(stemWord(word.slice(0, MAX_LENGTH), language));
    // A question asks for the "Frist" that the document calls "Kündigungsfrist", or the other way round.
    if (language === "de") for (const part of partsOfCompound(word)) terms.push(stemWord(part, language));
  }
  return terms;
}
