/**
 * Lower case with the same length, so that a position in the result is a position in the text. Of all letters, only İ
 * becomes longer in lower case, and only Σ depends on the letters around it.
 */
export function foldCase(text: string): string {
  return text.replaceAll("İ", "i").toLowerCase().replaceAll("ς", "σ");
}
