/** Lower case with the same length, so that a position in the result is a position in the text. */
export function foldCase(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length && !text.includes("Σ")) return lower.replaceAll("ς", "σ");
  // Letter by letter: toLowerCase lengthens İ, and writes Σ differently at the end of a word.
  return text.replace(/\p{Lu}/gu, lowerOf).replaceAll("ς", "σ");
}

function lowerOf(letter: string): string {
  const lower = letter.toLowerCase();
  return lower.length === letter.length ? lower : letter;
}
