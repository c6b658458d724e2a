import { asNumber, utcText } from "../compare.ts";
import type { JsonValue } from "../placeholders/json-value.ts";
import { type ItemPath, itemPath, valueAt } from "./item-path.ts";
import { type DataFields, readList, readTexts } from "./read-fields.ts";
import { PAUSE_EVERY, type Work } from "./work.ts";

interface SortKey {
  path: ItemPath;
  descending: boolean;
}

interface Ranked {
  item: JsonValue;
  /** By the first key; the others decide between equal ones, and are read then. */
  rank: Rank;
}

/** Numbers, also written as text, come before other text, and times of any zone are in order; the rest after them; nothing is always last. */
type Rank = readonly [kind: 0 | 1 | 2 | 3, value: number | string];

export function* sortItems(fields: DataFields): Work {
  const items = readList(fields, "items");
  const sortKeys = readTexts(fields, "by").map(sortKeyOf);
  if (sortKeys.length === 0) sortKeys.push(sortKeyOf(""));
  const ranked: Ranked[] = [];
  for (const [index, item] of items.entries()) {
    ranked.push({ item, rank: rankOf(valueAt(item, sortKeys[0]!.path)) });
    if (index % PAUSE_EVERY === 0) yield;
  }
  const sorted = yield* mergeSort(ranked, (a, b) => compareRanked(a, b, sortKeys));
  return sorted.map(({ item }) => item);
}

function sortKeyOf(text: string): SortKey {
  const descending = text.startsWith("-");
  return { path: itemPath(descending ? text.slice(1) : text), descending };
}

export function rankOf(value: JsonValue): Rank {
  if (value === null) return [3, 0];
  const number = asNumber(value);
  if (number !== undefined) return [0, number];
  if (typeof value === "string") return [1, utcText(value) ?? value];
  return [2, typeof value === "boolean" ? String(value) : ""];
}

export function compareRanks(a: Rank, b: Rank): number {
  if (a[0] !== b[0]) return a[0] - b[0];
  return a[1] === b[1] ? 0 : a[1] < b[1] ? -1 : 1;
}

function compareRanked(a: Ranked, b: Ranked, sortKeys: readonly SortKey[]): number {
  for (const [index, { path, descending }] of sortKeys.entries()) {
    const left = index === 0 ? a.rank : rankOf(valueAt(a.item, path));
    const right = index === 0 ? b.rank : rankOf(valueAt(b.item, path));
    const order = compareRanks(left, right);
    if (order === 0) continue;
    const isMissing = left[0] === 3 || right[0] === 3;
    return descending && !isMissing ? -order : order;
  }
  return 0;
}

/** Stable. In parts, because one sort of 100,000 items would block for a tenth of a second. */
function* mergeSort<T>(list: T[], order: (a: T, b: T) => number): Work<T[]> {
  let runs: T[][] = [];
  for (let from = 0; from < list.length; from += PAUSE_EVERY) {
    runs.push(list.slice(from, from + PAUSE_EVERY).sort(order));
    yield;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let i = 0; i < runs.length; i += 2)
      merged.push(runs[i + 1] === undefined ? runs[i]! : yield* merge(runs[i]!, runs[i + 1]!, order));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge<T>(left: T[], right: T[], order: (a: T, b: T) => number): Work<T[]> {
  const result: T[] = [];
  let [l, r] = [0, 0];
  while (l < left.length || r < right.length) {
    const takesLeft = r >= right.length || (l < left.length && order(left[l]!, right[r]!) <= 0);
    result.push(takesLeft ? left[l++]! : right[r++]!);
    if (result.length % PAUSE_EVERY === 0) yield;
  }
  return result;
}
