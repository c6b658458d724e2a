const ACCENTS = /[\u0300-\u036f]/g;
const NOT_SHOWN = /\p{Cc}+/gu;

/**
 * Text as search compares it: without case, accents of Latin, Greek and Cyrillic letters, and forms of the same letter (full
 * width, ligatures). Marks of other scripts change the letter and stay.
 */
export function foldText(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(ACCENTS, "")
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(NOT_SHOWN, " ");
}
