import type { MatchedField } from "../../contract/search.ts";
import { createApproximateMatch } from "./approximate-match.ts";

/** The folded texts of a record by field, the most telling first. */
export interface SearchableFields {
  name: string;
  /** Called only where the name does not have all words. */
  others(): readonly (readonly [field: MatchedField, text: string])[];
}

export interface Match {
  /** Less is better. */
  rank: number;
  field: MatchedField;
}

/** Ranks below are matches in the name; approximate ones come after every exact one. */
const RANKS = { exact: 0, start: 1, wordStart: 2, inside: 3, firstOther: 4, approximate: 20 };
/** A page with as many results needs no approximate ones. */
export const ENOUGH_MATCHES = 5;
const MAX_WORDS = 8;

export function wordsOf(folded: string): string[] {
  return [...new Set(folded.split(" ").filter((word) => word !== ""))].slice(0, MAX_WORDS);
}

/** Every word must occur in some field; the word with the worst place decides the rank. */
export function createExactRank(folded: string): (fields: SearchableFields) => Match | undefined {
  const words = wordsOf(folded);
  const query = words.join(" ");
  return ({ name, others }) => {
    if (name === query) return { rank: RANKS.exact, field: "name" };
    if (name.startsWith(query)) return { rank: RANKS.start, field: "name" };
    let worst: Match = { rank: RANKS.wordStart, field: "name" };
    for (const word of words) {
      const match = placeOf(word, name, others);
      if (match === undefined) return undefined;
      if (match.rank > worst.rank) worst = match;
    }
    return worst;
  };
}

function placeOf(word: string, name: string, others: SearchableFields["others"]): Match | undefined {
  const at = name.indexOf(word);
  if (at === 0 || (at > 0 && name.includes(` ${word}`))) return { rank: RANKS.wordStart, field: "name" };
  if (at > 0) return { rank: RANKS.inside, field: "name" };
  const listed = others();
  const index = listed.findIndex(([, text]) => text.includes(word));
  return index < 0 ? undefined : { rank: RANKS.firstOther + index, field: listed[index]![0] };
}

/** Names in which every word occurs with a typing error at most; only names, whose words people remember. */
export function createApproximateRank(folded: string): (fields: SearchableFields) => Match | undefined {
  const matches = wordsOf(folded).map((word) => createApproximateMatch(word));
  return ({ name }) =>
    matches.every((isMatch) => isMatch(name)) ? { rank: RANKS.approximate, field: "name" } : undefined;
}

export interface Ranked<Item> {
  item: Item;
  match: Match;
}

/** The best matches, best first; of equal ones, in the order given. `textOf` has the texts of all fields. */
export function rankBest<Item>(
  items: readonly Item[],
  folded: string,
  limit: number,
  { textOf, fieldsOf }: { textOf?(item: Item): string; fieldsOf(item: Item): SearchableFields },
): Ranked<Item>[] {
  const words = wordsOf(folded);
  if (words.length === 0) return [];
  const rankAll = (
    rank: (fields: SearchableFields) => Match | undefined,
    among: readonly Item[] = items,
  ): Ranked<Item>[] =>
    among.flatMap((item) => {
      const match = rank(fieldsOf(item));
      return match === undefined ? [] : [{ item, match }];
    });
  const candidates = textOf && items.filter((item) => words.every((word) => textOf(item).includes(word)));
  const exact = rankAll(createExactRank(folded), candidates);
  const found = exact.length < Math.min(limit, ENOUGH_MATCHES) ? [...exact, ...others()] : exact;
  return found.toSorted((a, b) => a.match.rank - b.match.rank).slice(0, limit);

  function others(): Ranked<Item>[] {
    const known = new Set(exact.map(({ item }) => item));
    return rankAll(createApproximateRank(folded)).filter(({ item }) => !known.has(item));
  }
}
