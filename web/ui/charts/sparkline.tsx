import "./charts.css";

interface SparklineProps {
  /** Null where there is no value: the line skips it. */
  values: readonly (number | null)[];
  /** What the line shows, for screen readers. */
  label: string;
  tone?: "accent" | "bad" | "run";
  /** The lowest value of the scale; the smallest of the values by default. */
  min?: number;
}

const WIDTH = 120;
const HEIGHT = 24;
const MARGIN = 2;
/** Half of its length. */
const DASH = 3;

/** A line without axes, for the shape of a series beside its number. */
export function Sparkline({ values, label, tone = "accent", min }: SparklineProps) {
  const known = values.flatMap((value, index) => (value === null ? [] : [{ value, index }]));
  const low = Math.min(...known.map(({ value }) => value), min ?? Infinity);
  const high = Math.max(...known.map(({ value }) => value));
  const scale = high === low ? 0 : (HEIGHT - 2 * MARGIN) / (high - low);
  const step = values.length > 1 ? WIDTH / (values.length - 1) : 0;
  // One value makes no line: a dash marks it.
  const reach = known.length === 1 ? [-DASH, DASH] : [0];
  const points = known.flatMap(({ value, index }) =>
    reach.map(
      (offset) =>
        `${(index * step + offset).toFixed(1)},${(HEIGHT - MARGIN - (value - low) * scale).toFixed(1)}`,
    ),
  );
  return (
    <svg
      className={`sparkline ${tone}`}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
    >
      {points.length > 1 && <polyline points={points.join(" ")} vectorEffect="non-scaling-stroke" />}
    </svg>
  );
}
