/**
 * The terms of a text: lower case, without accents, stop words and endings. One analysis for documents and questions
 * makes SQLite and PostgreSQL find the same chunks.
 */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const word of fold(text).match(/[\p{L}\p{N}]+/gu) ?? [])
    if (!STOP_WORDS.has(word)) terms.push(stem(word.slice(0, MAX_LENGTH)));
  return terms;
}

const MAX_LENGTH = 64;

function fold(text: string): string {
  return (
    text
      .normalize("NFKD")
      .replace(/\p{Mn}/gu, "")
      .toLowerCase()
      // "pump's" is "pump", and "don't" must not leave a "t" behind.
      .replace(/['’](?:s|t|re|ve|ll|d|m)\b/g, "")
  );
}

// Function words, and the words of question phrases: "how long", "tell me", "according to".
const STOP_WORDS = new Set(
  `a an the this that these those and or but nor if then than so as at by for from in into of off on onto out over to
   up with without within about above below between during through under is are was were be been being am do does did
   done doing don have has had having can could may might must shall should will would it its he him his she her hers
   they them their we us our you your i me my mine what which who whom whose when where why how there here all any both
   each few more most other some such no not only own same too very just also ever much many long often please tell
   give according say says said mean means let get got need needs one happens happen know want`.split(/\s+/),
);

/** Cuts the common English endings, so that "filters", "filter" and "filtering" are one term. */
export function stem(word: string): string {
  if (word.length < 4 || /\p{N}/u.test(word)) return word;
  let root = word;
  if (root.endsWith("ies") && root.length > 4) root = `${root.slice(0, -3)}y`;
  else if (/(?:ss|sh|ch|x|z)es$/.test(root)) root = root.slice(0, -2);
  else if (/[^suia]s$/.test(root)) root = root.slice(0, -1);
  root = cutVerbEnding(root);
  if (root.endsWith("ly") && root.length > 5) root = root.slice(0, -2);
  if (root.endsWith("e") && root.length > 4) root = root.slice(0, -1);
  if (root.endsWith("y") && root.length > 3 && !/[aeiou]y$/.test(root)) root = `${root.slice(0, -1)}i`;
  return root;
}

function cutVerbEnding(word: string): string {
  for (const ending of ["ing", "ed"]) {
    if (!word.endsWith(ending)) continue;
    const root = word.slice(0, -ending.length);
    if (!/[aeiouy]/.test(root)) return word;
    if (root.length < 3) return ending === "ed" ? word.slice(0, -1) : word;
    return /([bdfgmnprt])\1$/.test(root) ? root.slice(0, -1) : root;
  }
  return word;
}
