const PREFIXES = ["وال", "بال", "كال", "فال", "ولل", "ال", "لل", "و", "ب", "ل", "ف", "ك"];
const SUFFIXES = ["تين", "تان", "ها", "هم", "ان", "ات", "ون", "ين", "وا", "يه", "ه", "ي", "ت"];

/** Light stemming of a folded Arabic word: one article or conjunction in front, one ending of number, gender or person. */
export function stemArabic(word: string): string {
  let root = word;
  const prefix = PREFIXES.find(
    (each) => root.startsWith(each) && root.length - each.length >= (each.length === 1 ? 3 : 2),
  );
  if (prefix) root = root.slice(prefix.length);
  const suffix = SUFFIXES.find((each) => root.endsWith(each) && root.length - each.length >= 3);
  return suffix ? root.slice(0, -suffix.length) : root;
}
