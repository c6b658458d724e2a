import { onFirstUse } from "../../lib/first-use.ts";

const SCRIPTS = [
  "Latin",
  "Cyrillic",
  "Greek",
  "Arabic",
  "Hebrew",
  "Armenian",
  "Georgian",
  "Devanagari",
  "Bengali",
  "Gurmukhi",
  "Gujarati",
  "Tamil",
  "Telugu",
  "Kannada",
  "Malayalam",
  "Sinhala",
  "Thai",
  "Lao",
  "Khmer",
  "Myanmar",
  "Han",
  "Hiragana",
  "Katakana",
  "Hangul",
  "Ethiopic",
] as const;
const expressions = onFirstUse(() =>
  SCRIPTS.map((script) => [script, new RegExp(`\\p{sc=${script}}`, "u")] as const),
);

const scriptOf = (letter: string): string | undefined =>
  expressions().find(([, expression]) => expression.test(letter))?.[0];

// all-MiniLM-L6-v2 has 27,827 Latin pieces and at most 494 of any other script, single letters that no text of its training
// used. A multilingual vocabulary has thousands.
const FEWEST_PIECES = 600;

/** The scripts that a vocabulary was made for, not only the letters it happens to contain. */
export function scriptsOf(pieces: Iterable<string>): string[] {
  const counts = new Map<string, number>();
  for (const piece of pieces) {
    const letter = /\p{L}/u.exec(piece)?.[0];
    const script = letter === undefined ? undefined : scriptOf(letter);
    if (script !== undefined) counts.set(script, (counts.get(script) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count >= FEWEST_PIECES).map(([script]) => script);
}

/** The share of a text's letters in the given scripts, 0–1; 1 for a text without letters. */
export function shareInScripts(text: string, scripts: readonly string[]): number {
  const known = expressions().filter(([script]) => scripts.includes(script));
  const letters = text.match(/\p{L}/gu) ?? [];
  if (letters.length === 0) return 1;
  return (
    letters.filter((letter) => known.some(([, expression]) => expression.test(letter))).length /
    letters.length
  );
}
