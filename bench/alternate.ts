import { type Figure, measure, type Measurement } from "./measure.ts";

const ROUNDS = 3;

/**
 * Several services measured in turn, a slice each, so that what else the machine does meets all of them alike. Their
 * ratios are worth more than those of figures that were taken minutes apart.
 */
export async function alternate(
  measurements: readonly Measurement[],
  /** Called after each slice: what one leaves behind must not be the next one's burden. */
  settle: () => Promise<void> = () => Promise.resolve(),
): Promise<Figure[]> {
  const slices: Figure[][] = measurements.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, measurement] of measurements.entries()) {
      slices[index]!.push(await measure({ ...measurement, seconds: measurement.seconds / ROUNDS }));
      await settle();
    }
  }
  return slices.map(together);
}

function together(slices: readonly Figure[]): Figure {
  const calls = slices.reduce((sum, { perSecond }) => sum + perSecond, 0);
  const middle = (values: number[]): number =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  return {
    perSecond: calls / slices.length,
    p50: middle(slices.map(({ p50 }) => p50)),
    p99: middle(slices.map(({ p99 }) => p99)),
    // Each slice counts by its calls.
    cpuMs: slices.reduce((sum, { cpuMs, perSecond }) => sum + cpuMs * perSecond, 0) / Math.max(1, calls),
    failures: slices.reduce((sum, { failures }) => sum + failures, 0),
  };
}
