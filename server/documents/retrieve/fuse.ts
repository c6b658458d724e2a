/** The scores of one chunk in both searches; undefined where a search did not find it. */
export interface Scores {
  cosine: number | undefined;
  bm25: number | undefined;
}

/**
 * One ranking from two: each score is scaled to 0–1 over the hits of its search, then both count half. Better than
 * either search alone and than reciprocal rank fusion on every measured set. It only ranks: the first hit scores near 1
 * for any question, so the value says nothing about relevance.
 */
export function fuse(scores: readonly Scores[]): number[] {
  const cosine = stretch(scores.map((score) => score.cosine));
  const bm25 = stretch(scores.map((score) => score.bm25));
  return scores.map((_, i) => 0.5 * (cosine[i] ?? 0) + 0.5 * (bm25[i] ?? 0));
}

function stretch(values: readonly (number | undefined)[]): number[] {
  const known = values.filter((value) => value !== undefined);
  const lowest = Math.min(...known);
  const range = Math.max(...known) - lowest;
  return values.map((value) => {
    if (value === undefined) return 0;
    return range > 0 ? (value - lowest) / range : 1;
  });
}
