/** What both searches say about one chunk; a search that did not find it says nothing. */
export interface Scores {
  cosine: number | undefined;
  bm25: number | undefined;
}

/**
 * One ranking from two: each score is stretched to 0–1 over what its search found, then both count half.
 * Better than either alone and than reciprocal ranks on every set it was measured with. It ranks only: the
 * first is near 1 for any question, so it says nothing about relevance.
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
