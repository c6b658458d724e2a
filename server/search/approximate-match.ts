/** The bits of a number limit the pattern. */
const MAX_PATTERN = 30;

/** Typing errors that a word may have: none in a short one, where another word is as close. */
export function allowedErrors(word: string): number {
  return word.length < 4 ? 0 : word.length < 8 ? 1 : 2;
}

export type ApproximateMatch = (text: string) => boolean;

/**
 * Finds a word in a text with up to `errors` missing, added or replaced letters (the algorithm of Wu and Manber: one
 * step for each letter of the text, so ten thousand names take milliseconds). A transposition counts as two errors, so
 * each transposition of adjacent letters is tried as a separate pattern.
 */
export function createApproximateMatch(word: string, errors = allowedErrors(word)): ApproximateMatch {
  if (errors === 0) return (text) => text.includes(word);
  const pattern = word.slice(0, MAX_PATTERN);
  const swapped = [...pattern].slice(1).map((letter, index) => {
    const [before, after] = [pattern.slice(0, index), pattern.slice(index + 2)];
    return before + letter + pattern[index]! + after;
  });
  const close = closeTo(pattern, errors);
  return (text) => close(text) || swapped.some((each) => text.includes(each));
}

function closeTo(pattern: string, errors: number): ApproximateMatch {
  const masks = new Map<number, number>();
  for (let index = 0; index < pattern.length; index++) {
    const code = pattern.charCodeAt(index);
    masks.set(code, (masks.get(code) ?? 0) | (1 << index));
  }
  const found = 1 << (pattern.length - 1);
  return (text) => {
    // Bit i of row e is set when the text so far ends with the first i + 1 letters of the pattern, with at most e errors.
    let [row0, row1, row2] = [0, 0, 0];
    let begin = 1;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      const mask = masks.get(code) ?? 0;
      // Where a word begins, the first letters of the pattern may be missing.
      const old1 = row1 | begin;
      const old2 = row2 | (begin * 3);
      const new0 = ((row0 << 1) | begin) & mask;
      // The right letter; or one more letter in the text, another letter, a letter less.
      const new1 = (((old1 << 1) | begin) & mask) | row0 | (row0 << 1) | begin | (new0 << 1);
      row2 = (((old2 << 1) | begin) & mask) | old1 | (old1 << 1) | begin | (new1 << 1);
      [row0, row1] = [new0, new1];
      if (((errors === 1 ? row1 : row2) & found) !== 0) return true;
      // A match begins with a word: in the middle of words nearly everything is close to something.
      begin = isBoundary(code) ? 1 : 0;
    }
    return false;
  };
}

/** Punctuation, spaces, and scripts that are written without spaces. */
function isBoundary(code: number): boolean {
  return code < 48 || (code > 57 && code < 65) || (code > 90 && code < 97) || code >= 0x2e80;
}
