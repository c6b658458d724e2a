// Chinese and Japanese characters and their punctuation. Korean puts spaces between words.
const IDEOGRAPH = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー々〆\u3001-\u303f\uff01-\uff0f\uff1a-\uff20]`;
const ENDS = new RegExp(`${IDEOGRAPH}\\s*$`, "u");
const STARTS = new RegExp(`^\\s*${IDEOGRAPH}`, "u");

/** True when a line or a piece of text continues without a space: 東 + 京. */
export function joinsWithoutSpace(before: string, after: string): boolean {
  return ENDS.test(before) && STARTS.test(after);
}

const SPREAD = new RegExp(`(?<=(?:^|\\s)${IDEOGRAPH})\\s(?=${IDEOGRAPH}(?:\\s|$))`, "gu");

/** "東 京 都", as widely set text is read, is 東京都; a space between words stays. */
export function withoutSpread(text: string): string {
  return text.replace(SPREAD, "");
}
