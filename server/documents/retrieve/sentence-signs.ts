import { packSigns, type SignBlock, wordsOf } from "./binary-prefilter.ts";
import { mismatch } from "./vector-encoding.ts";

/** The signs of the sentence vectors of a document: 48 bytes per sentence at 384 dimensions. */
export interface SentenceSigns extends SignBlock {
  /** The first sentence of each chunk, and the total number of sentences at the end. */
  starts: Uint32Array;
}

/** The ordinal of the chunk that contains this sentence of the document. */
export function chunkOf({ starts }: SentenceSigns, sentence: number): number {
  let [low, high] = [0, starts.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= sentence) low = middle;
    else high = middle;
  }
  return low;
}

/** Encodes the sentences of a document slice by slice. Layout in 32-bit words: the count of each chunk, then all signs. */
export function createSignEncoder() {
  const counts: number[] = [];
  const signs: Uint32Array[] = [];
  return {
    /** The sentence vectors of each chunk. */
    add(chunks: readonly (readonly Float32Array[])[]): void {
      for (const sentences of chunks) {
        counts.push(sentences.length);
        for (const vector of sentences) signs.push(packSigns(vector));
      }
    },
    finish(): Uint8Array {
      const parts = [Uint32Array.from(counts), ...signs];
      return Buffer.concat(parts.map(({ buffer }) => new Uint8Array(buffer)));
    },
  };
}

/** `null` is the encoding of a document without sentence vectors. */
export function decodeSentenceSigns(
  bytes: Uint8Array | null,
  chunks: number,
  dimensions: number,
): SentenceSigns {
  const starts = new Uint32Array(chunks + 1);
  if (bytes === null) return { starts, count: 0, signs: new Uint32Array() };
  // A copy: the database driver may return an unaligned view of a larger buffer.
  const words = new Uint32Array(new Uint8Array(bytes).buffer);
  for (let chunk = 0; chunk < chunks; chunk++) starts[chunk + 1] = starts[chunk]! + words[chunk]!;
  const signs = words.subarray(chunks);
  const count = starts[chunks]!;
  if (signs.length !== count * wordsOf(dimensions))
    throw mismatch(`${bytes.byteLength} bytes of sentences, not of ${dimensions} dimensions`);
  return { starts, count, signs };
}
