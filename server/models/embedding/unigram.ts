import type { Tokenizer } from "./tokenizer.ts";

// SentencePiece writes a space as this character, in front of each word.
const SPACE = "\u2581";
const UNKNOWN_PENALTY = 10;
const CACHE_SIZE = 50_000;
const MAX_WORD_LENGTH = 200;

/**
 * The tokenizer of SentencePiece models such as XLM-RoBERTa: of all ways to cut a word into pieces of the vocabulary, the
 * one with the highest total score. `vocabulary` is in the order of the ids.
 */
export function createUnigram(vocabulary: readonly (readonly [piece: string, score: number])[]): Tokenizer {
  const pieces = new Map(vocabulary.map(([piece, score], id) => [piece, { id, score }]));
  const idOf = (...names: string[]): number => {
    const found = names.map((name) => pieces.get(name)).find((piece) => piece !== undefined);
    if (!found) throw new Error(`the vocabulary has no ${names[0]}`);
    return found.id;
  };
  const opening = idOf("<s>", "[CLS]");
  const closing = idOf("</s>", "[SEP]");
  const unknown = { id: idOf("<unk>", "[UNK]"), score: lowestScore(vocabulary) - UNKNOWN_PENALTY };
  const longest = vocabulary.reduce((length, [piece]) => Math.max(length, piece.length), 1);
  const cache = new Map<string, readonly number[]>();

  function piecesOf(word: string): readonly number[] {
    const known = cache.get(word);
    if (known) return known;
    const ids = bestCut(word);
    if (cache.size < CACHE_SIZE) cache.set(word, ids);
    return ids;
  }

  /** Viterbi: the best cut of each beginning of the word follows from those of the shorter ones. */
  function bestCut(word: string): number[] {
    const best: { score: number; id: number; start: number }[] = [{ score: 0, id: -1, start: 0 }];
    for (let end = 1; end <= word.length; end++)
      for (let start = Math.max(0, end - longest); start < end; start++) {
        const before = best[start];
        const piece = pieces.get(word.slice(start, end)) ?? (end - start === 1 ? unknown : undefined);
        if (!before || !piece) continue;
        const score = before.score + piece.score;
        if (score > (best[end]?.score ?? -Infinity)) best[end] = { score, id: piece.id, start };
      }
    const ids: number[] = [];
    for (let end = word.length; end > 0; end = best[end]!.start) {
      const { id } = best[end]!;
      // Unknown characters side by side are one unknown token.
      if (id !== unknown.id || ids.at(-1) !== id) ids.push(id);
    }
    return ids.reverse();
  }

  return {
    encode(text, maxLength) {
      const ids = [opening];
      for (const word of text.normalize("NFKC").match(/[^\s\p{Cc}\p{Cf}]+/gu) ?? [])
        for (const part of sliced(SPACE + word)) {
          if (ids.length >= maxLength - 1) break;
          ids.push(...piecesOf(part).slice(0, maxLength - 1 - ids.length));
        }
      ids.push(closing);
      return ids;
    },
  };
}

function lowestScore(vocabulary: readonly (readonly [string, number])[]): number {
  return vocabulary.reduce((lowest, [, score]) => Math.min(lowest, score), 0);
}

/** A text without spaces is one word, and its best cut takes time and memory by its length. */
function sliced(word: string): string[] {
  if (word.length <= MAX_WORD_LENGTH) return [word];
  return Array.from({ length: Math.ceil(word.length / MAX_WORD_LENGTH) }, (_, i) =>
    word.slice(i * MAX_WORD_LENGTH, (i + 1) * MAX_WORD_LENGTH),
  );
}
