import { createPrefixList, type PrefixList } from "./prefix-list.ts";

const BLOCK_LENGTH = 3;
const TABLE_SIZE = 1 << 16;

export interface TextRange {
  start: number;
  end: number;
}

export interface TextSearch {
  /** The ranges of all matches, in order. Overlapping and adjacent ranges are merged. */
  findRanges(text: string): TextRange[];
}

/**
 * Finds many patterns in one pass (Wu–Manber): a window as long as the shortest pattern moves over the text, and a table
 * maps its last three characters to the distance it can skip. A megabyte with 300 patterns takes a few milliseconds;
 * searching for one pattern after the other takes a hundred.
 */
export function createTextSearch(patterns: readonly string[]): TextSearch {
  // Not `Math.min(...)`: a hundred thousand arguments overflow the call stack.
  const windowLength = patterns.reduce((least, { length }) => Math.min(least, length), Infinity);
  const shifts = new Uint8Array(TABLE_SIZE).fill(Math.min(255, windowLength - BLOCK_LENGTH + 1));
  const buckets = new Map<number, string[]>();
  for (const pattern of patterns) {
    for (let end = BLOCK_LENGTH; end <= windowLength; end++) {
      const block = blockBefore(pattern, end);
      shifts[block] = Math.min(shifts[block] ?? 0, windowLength - end);
    }
    const lastBlock = blockBefore(pattern, windowLength);
    const bucket = buckets.get(lastBlock);
    if (bucket) bucket.push(pattern);
    else buckets.set(lastBlock, [pattern]);
  }
  // Built on the first use: of thousands of buckets, a text needs few.
  const lists = new Map<number, PrefixList>();

  function candidatesOf(block: number): PrefixList {
    const known = lists.get(block);
    if (known !== undefined) return known;
    const list = createPrefixList(buckets.get(block) ?? []);
    lists.set(block, list);
    return list;
  }

  return {
    findRanges(text) {
      const ranges: TextRange[] = [];
      let windowEnd = windowLength;
      while (windowEnd <= text.length) {
        const block = blockBefore(text, windowEnd);
        const shift = shifts[block] ?? 0;
        if (shift > 0) {
          windowEnd += shift;
          continue;
        }
        const start = windowEnd - windowLength;
        const length = candidatesOf(block).longestAt(text, start);
        if (length > 0) addRange(ranges, start, start + length);
        // One character further, not past the match: another secret may start inside this one.
        windowEnd += 1;
      }
      return ranges;
    },
  };
}

/** A hash: blocks that share a slot cost a comparison, but never miss a match. */
function blockBefore(text: string, end: number): number {
  const hash = (text.charCodeAt(end - 3) << 10) ^ (text.charCodeAt(end - 2) << 5) ^ text.charCodeAt(end - 1);
  return hash & (TABLE_SIZE - 1);
}

/** In order, with overlapping and adjacent ranges merged. */
export function mergeRanges(ranges: readonly TextRange[]): TextRange[] {
  const merged: TextRange[] = [];
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) addRange(merged, start, end);
  return merged;
}

function addRange(ranges: TextRange[], start: number, end: number): void {
  const last = ranges.at(-1);
  if (last && start <= last.end) last.end = Math.max(last.end, end);
  else ranges.push({ start, end });
}
