import { onFirstUse } from "../../../lib/first-use.ts";
import { latinStopWords, type LatinLanguage } from "./stop-words.ts";

// Names contain these ("de Gaulle", "van der Waals"), or English uses them as other words ("die", "war"): one of them alone
// says nothing.
const WEAK = new Set(
  `de la le les los las san du des der die den van von el al da do dos das di del a an i o e u in no as at is am me so of on or he we over
   under war was hat man not will her all men dem son sa si se en et un per come plus sur main fin era son den var for har
   dan hun bin us pot are ben sin min mine hans te ne mi ki be`.split(/\s+/),
);

// Single letters are initials ("T. S. Eliot") as often as words.
const isWeak = (word: string): boolean => word.length === 1 || WEAK.has(word);

/** How many words of a text identify a language well enough. */
const WORDS_READ = 200;
/** A text of names and figures has fewer function words than any language. */
const LEAST_SHARE = 0.06;

// Letters that only one of the languages uses. They identify a text without function words, such as a search by keywords.
const LETTERS: readonly (readonly [RegExp, LatinLanguage])[] = [
  [/[äöü]|ß/u, "de"],
  [/[ñ¿¡]/u, "es"],
  [/[ãõ]/u, "pt"],
  [/[őű]/u, "hu"],
  [/[ğış]/u, "tr"],
  [/[țșă]/u, "ro"],
  [/[œêèçû]/u, "fr"],
];

const languagesOfWord = onFirstUse(() => {
  const languages = new Map<string, LatinLanguage[]>();
  for (const [language, words] of latinStopWords())
    for (const word of words) languages.set(word, [...(languages.get(word) ?? []), language]);
  return languages;
});

/**
 * The language of the words in Latin script, by their function words; English unless another language has more of them.
 * Undefined for a text without any, such as a search by keywords. `words` are folded, `text` is not.
 */
export function latinLanguageOf(words: readonly string[], text: string): LatinLanguage | undefined {
  const found = new Map<LatinLanguage, { score: number; words: Set<string> }>();
  const add = (language: LatinLanguage, score: number, word: string): void => {
    const entry = found.get(language) ?? { score: 0, words: new Set() };
    entry.score += score;
    entry.words.add(word);
    found.set(language, entry);
  };
  const read = words.slice(0, WORDS_READ);
  for (const word of read)
    for (const language of languagesOfWord().get(word) ?? [])
      add(language, language !== "en" && isWeak(word) ? 0.5 : 1, word);
  for (const [letters, language] of LETTERS) if (letters.test(text)) add(language, 1, "");
  let best: LatinLanguage | undefined = found.has("en") ? "en" : undefined;
  let bestScore = Math.max(found.get("en")?.score ?? 0, read.length * LEAST_SHARE);
  for (const [language, { score, words: distinct }] of found) {
    // "Los Angeles" twice is one weak word.
    const onlyWeak = distinct.size === 1 && [...distinct].every(isWeak);
    if (score <= bestScore || (onlyWeak && language !== "en")) continue;
    best = language;
    bestScore = score;
  }
  return best;
}
