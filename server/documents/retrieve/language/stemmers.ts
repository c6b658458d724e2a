import { stemmer as armenian } from "@orama/stemmers/armenian";
import { stemmer as danish } from "@orama/stemmers/danish";
import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as finnish } from "@orama/stemmers/finnish";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as greek } from "@orama/stemmers/greek";
import { stemmer as hungarian } from "@orama/stemmers/hungarian";
import { stemmer as hindi } from "@orama/stemmers/indian";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as norwegian } from "@orama/stemmers/norwegian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as romanian } from "@orama/stemmers/romanian";
import { stemmer as russian } from "@orama/stemmers/russian";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { stemmer as swedish } from "@orama/stemmers/swedish";
import { stemmer as tamil } from "@orama/stemmers/tamil";
import { stemmer as turkish } from "@orama/stemmers/turkish";
import { stemmer as ukrainian } from "@orama/stemmers/ukrainian";
import { stemArabic } from "./arabic.ts";
import { stemEnglish } from "./english.ts";
import { foldWord } from "./fold.ts";
import type { LatinLanguage } from "./stop-words.ts";

type Stem = (word: string) => string;

const LATIN: Record<LatinLanguage, Stem> = {
  en: (word) => stemEnglish(foldWord(word)),
  de: german,
  fr: french,
  es: spanish,
  it: italian,
  pt: portuguese,
  nl: dutch,
  sv: swedish,
  da: danish,
  no: norwegian,
  fi: finnish,
  hu: hungarian,
  ro: romanian,
  tr: turkish,
};

const SCRIPTS: readonly (readonly [RegExp, Stem])[] = [
  [
    /^\p{sc=Cyrillic}/u,
    (word) => (/[іїєґ]/u.test(word) ? ukrainian(word) : russian(word.replaceAll("ё", "е"))),
  ],
  [/^\p{sc=Arabic}/u, (word) => stemArabic(foldWord(word))],
  [/^\p{sc=Greek}/u, greek],
  [/^\p{sc=Devanagari}/u, hindi],
  [/^\p{sc=Tamil}/u, tamil],
  [/^\p{sc=Armenian}/u, armenian],
];

/** The stem of a word, without accents. The script chooses the rules; `latin` is the language of Latin letters. */
export function stemWord(word: string, latin: LatinLanguage): string {
  if (/\p{N}/u.test(word)) return foldWord(word);
  const stem = /^\p{sc=Latin}/u.test(word)
    ? LATIN[latin]
    : SCRIPTS.find(([script]) => script.test(word))?.[1];
  return foldWord(stem ? stem(word) : word);
}

/** The stems of a word in Latin letters by the rules of the other languages, where they differ. */
export function stemsInOtherLanguages(word: string, latin: LatinLanguage): string[] {
  if (/\p{N}/u.test(word) || !/^\p{sc=Latin}/u.test(word)) return [];
  const stems = new Set(Object.values(LATIN).map((stem) => foldWord(stem(word))));
  stems.delete(stemWord(word, latin));
  return [...stems];
}
