import type { Tokenizer } from "./tokenizer.ts";

/** The tokenizer of BERT models: splits words into the longest pieces in the vocabulary. */
export interface WordPiece extends Tokenizer {
  /**
   * The length of a text in pieces, without [CLS] and [SEP]. A word in a script that the vocabulary spells letter by
   * letter, or does not know at all, counts a piece for every three letters, as in a vocabulary made for it.
   */
  count(text: string): number;
}

const MAX_WORD_LENGTH = 100;
const CACHE_SIZE = 50_000;
// Every ASCII symbol, every Unicode punctuation mark and every CJK ideograph is a separate word.
const ALONE = String.raw`\p{P}\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e\u4e00-\u9fff\u3400-\u4dbf\uf900-\ufaff`;
const WORD = new RegExp(`[${ALONE}]|[^\\s${ALONE}]+`, "gu");

export function createWordPiece(
  vocabulary: Pick<ReadonlyMap<string, number>, "get">,
  lowercase = true,
): WordPiece {
  const idOf = (token: string): number => {
    const id = vocabulary.get(token);
    if (id === undefined) throw new Error(`the vocabulary has no ${token}`);
    return id;
  };
  const unknown = idOf("[UNK]");
  const opening = idOf("[CLS]");
  const closing = idOf("[SEP]");
  const cache = new Map<string, readonly number[]>();

  function piecesOf(word: string): readonly number[] {
    const known = cache.get(word);
    if (known) return known;
    const pieces = split(word);
    if (cache.size < CACHE_SIZE) cache.set(word, pieces);
    return pieces;
  }

  function split(word: string): number[] {
    if (word.length > MAX_WORD_LENGTH) return [unknown];
    const pieces: number[] = [];
    let start = 0;
    while (start < word.length) {
      let end = word.length;
      let id: number | undefined;
      for (; end > start; end--) {
        id = vocabulary.get((start > 0 ? "##" : "") + word.slice(start, end));
        if (id !== undefined) break;
      }
      if (id === undefined) return [unknown];
      pieces.push(id);
      start = end;
    }
    return pieces;
  }

  function lengthOf(word: string): number {
    const pieces = piecesOf(word);
    const spelled = !/[\p{sc=Latin}\p{N}]/u.test(word) && word.length > 1;
    return spelled || pieces[0] === unknown ? Math.ceil(word.length / 3) : pieces.length;
  }

  const words = (text: string): string[] => normalize(text, lowercase).match(WORD) ?? [];

  return {
    encode(text, maxLength) {
      const ids = [opening];
      for (const word of words(text)) {
        const pieces = piecesOf(word);
        ids.push(...pieces.slice(0, maxLength - 1 - ids.length));
        if (ids.length >= maxLength - 1) break;
      }
      ids.push(closing);
      return ids;
    },
    count: (text) => words(text).reduce((total, word) => total + lengthOf(word), 0),
  };
}

function normalize(text: string, lowercase: boolean): string {
  const cleaned = text.replace(/[\p{Cc}\p{Cf}\ufffd]/gu, (char) => (/[\t\n\r]/.test(char) ? " " : ""));
  if (!lowercase) return cleaned;
  return cleaned
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "");
}
