import { type Figure, measure, type Measurement } from "./measure.ts";

const SLICES = 3;

/**
 * Measures several services in turn, a slice each, so that other load on the machine affects all of them alike. Their
 * ratios are more reliable than those of figures measured minutes apart.
 */
export async function alternate(
  measurements: readonly Measurement[],
  /** Called after each slice, so that leftover work of one does not slow down the next. */
  settle: () => Promise<void> = () => Promise.resolve(),
): Promise<Figure[]> {
  const slices: Figure[][] = measurements.map(() => []);
  for (let slice = 0; slice < SLICES; slice++) {
    for (const [index, measurement] of measurements.entries()) {
      slices[index]!.push(await measure({ ...measurement, seconds: measurement.seconds / SLICES }));
      await settle();
    }
  }
  return slices.map(combine);
}

function combine(slices: readonly Figure[]): Figure {
  const calls = slices.reduce((sum, { perSecond }) => sum + perSecond, 0);
  const median = (values: number[]): number =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  return {
    perSecond: calls / slices.length,
    p50: median(slices.map(({ p50 }) => p50)),
    p99: median(slices.map(({ p99 }) => p99)),
    // Weighted by the calls of each slice.
    cpuMs: slices.reduce((sum, { cpuMs, perSecond }) => sum + cpuMs * perSecond, 0) / Math.max(1, calls),
    failures: slices.reduce((sum, { failures }) => sum + failures, 0),
  };
}
