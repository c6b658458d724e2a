const RIGHT_TO_LEFT = /[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/u;
const RIGHT_TO_LEFT_LETTERS = new RegExp(`(?=\\p{L})${RIGHT_TO_LEFT.source}`, "gu");
const LETTERS = /\p{L}/gu;

export const hasRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text);

/** True when most letters are Hebrew, Arabic or another script that is written to the left. */
export function isRightToLeft(pieces: Iterable<{ text: string }>): boolean {
  let letters = 0;
  let toTheLeft = 0;
  for (const { text } of pieces) {
    letters += text.match(LETTERS)?.length ?? 0;
    toTheLeft += text.match(RIGHT_TO_LEFT_LETTERS)?.length ?? 0;
  }
  return toTheLeft > letters / 2;
}
