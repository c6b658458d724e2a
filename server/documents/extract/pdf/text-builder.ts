const TAIL_LENGTH = 64;

/**
 * Builds a page's text piece by piece. Reading the end of a growing string flattens all of it, which takes minutes for
 * a page of half a million pieces, so the end is stored separately.
 */
export interface TextBuilder {
  readonly length: number;
  /** The last characters, enough for a word and its hyphen. */
  readonly tail: string;
  append(text: string): void;
  dropLast(): void;
  toString(): string;
}

export function createTextBuilder(): TextBuilder {
  const parts: string[] = [];
  let length = 0;
  let tail = "";
  return {
    get length() {
      return length;
    },
    get tail() {
      return tail;
    },
    append(text) {
      if (text === "") return;
      parts.push(text);
      length += text.length;
      tail = (tail + text).slice(-TAIL_LENGTH);
    },
    dropLast() {
      const last = parts.pop() ?? "";
      if (last.length > 1) parts.push(last.slice(0, -1));
      length = Math.max(0, length - 1);
      tail = tail.slice(0, -1);
    },
    toString: () => parts.join(""),
  };
}
