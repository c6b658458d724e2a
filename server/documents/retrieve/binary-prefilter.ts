import type { MeasureRows } from "./hamming.ts";
import type { VectorBlock } from "./vector-encoding.ts";

export interface SignBlock {
  /** The number of rows. */
  count: number;
  signs: Uint32Array;
}

/** 32-bit words of the signs of one vector, a multiple of three for `createHamming`. */
export const wordsOf = (dimensions: number): number => Math.ceil(dimensions / 96) * 3;

/** One bit per dimension: its sign. Similar vectors agree in most signs. */
export function packSigns(vector: Float32Array): Uint32Array {
  const signs = new Uint32Array(wordsOf(vector.length));
  for (const [i, value] of vector.entries()) if (value < 0) signs[i >> 5]! |= 1 << (i & 31);
  return signs;
}

export function packSignBits({ count, dimensions, codes }: VectorBlock): Uint32Array {
  const words = wordsOf(dimensions);
  const signs = new Uint32Array(count * words);
  for (let row = 0; row < count; row++)
    for (let i = 0; i < dimensions; i++)
      if (codes[row * dimensions + i]! < 0) signs[row * words + (i >> 5)]! |= 1 << (i & 31);
  return signs;
}

export interface SignHit<Block> {
  block: Block;
  row: number;
  distance: number;
}

/** Rows between two turns of the event loop: about 2 ms on a busy machine. */
const ROWS_PER_TURN = 50_000;

/**
 * The `wanted` rows (more on a tie) with the smallest Hamming distance to the query, nearest first. The first
 * thousand of 100,000 contain the true best ten in 99.7 % of queries. A histogram of distances finds the cut-off without
 * sorting.
 */
export async function scanNearestSigns<Block extends SignBlock>(
  blocks: readonly Block[],
  query: Float32Array,
  wanted: number,
  measureRows: MeasureRows,
): Promise<SignHit<Block>[]> {
  const target = packSigns(query);
  const bits = target.length * 32;
  const distances = new Uint16Array(blocks.reduce((sum, block) => sum + block.count, 0));
  const histogram = new Uint32Array(bits + 1);
  let scanned = 0;
  for (const { signs, count } of blocks)
    for (let row = 0; row < count;) {
      const rows = Math.min(count - row, ROWS_PER_TURN - (scanned % ROWS_PER_TURN));
      const slice = signs.subarray(row * target.length, (row + rows) * target.length);
      const measured = distances.subarray(scanned, scanned + rows);
      measureRows(slice, target, measured);
      countDistances(measured, histogram);
      row += rows;
      scanned += rows;
      if (scanned % ROWS_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  let limit = 0;
  for (let seen = histogram[0]!; seen < wanted && limit < bits; seen += histogram[limit]!) limit += 1;
  return rowsWithin(blocks, distances, limit).sort((a, b) => a.distance - b.distance);
}

/** A separate function: inside the asynchronous one the same loop was slower. */
function countDistances(distances: Uint16Array, histogram: Uint32Array): void {
  for (let row = 0; row < distances.length; row++) histogram[distances[row]!]! += 1;
}

function rowsWithin<Block extends SignBlock>(
  blocks: readonly Block[],
  distances: Uint16Array,
  limit: number,
): SignHit<Block>[] {
  const hits: SignHit<Block>[] = [];
  let position = 0;
  for (const block of blocks)
    for (let row = 0; row < block.count; row++) {
      const distance = distances[position++]!;
      if (distance <= limit) hits.push({ block, row, distance });
    }
  return hits;
}
