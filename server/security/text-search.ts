import type { PartedWork } from "../lib/in-turns.ts";
import { createPrefixList, type PrefixList } from "./prefix-list.ts";

const BLOCK_LENGTH = 3;
const TABLE_SIZE = 1 << 16;
const SEARCHED_AT_ONCE = 64 * 1024;

export interface TextRange {
  start: number;
  end: number;
}

export interface TextSearch {
  /** The ranges of all matches, in order. Overlapping and adjacent ranges are merged. */
  findRanges(text: string): TextRange[];
  findRangesInParts(text: string): PartedWork<TextRange[]>;
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

  /** Adds the matches in windows that end from `windowEnd` up to `until`; returns where the next window ends. */
  function findUntil(text: string, windowEnd: number, until: number, ranges: TextRange[]): number {
    let at = windowEnd;
    while (at <= until) {
      const block = blockBefore(text, at);
      const shift = shifts[block] ?? 0;
      if (shift > 0) {
        at += shift;
        continue;
      }
      const start = at - windowLength;
      const length = candidatesOf(block).longestAt(text, start);
      if (length > 0) addRange(ranges, start, start + length);
      // One character further, not past the match: another secret may start inside this one.
      at += 1;
    }
    return at;
  }

  function* findRangesInParts(text: string): PartedWork<TextRange[]> {
    const ranges: TextRange[] = [];
    let windowEnd = windowLength;
    for (;;) {
      windowEnd = findUntil(text, windowEnd, Math.min(text.length, windowEnd + SEARCHED_AT_ONCE), ranges);
      if (windowEnd > text.length) return ranges;
      yield;
    }
  }

  return {
    findRangesInParts,
    findRanges(text) {
      const ranges: TextRange[] = [];
      findUntil(text, windowLength, text.length, ranges);
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
