import { type KeyboardEvent, useId, useRef, useState } from "react";
import "./charts.css";

export interface Bar {
  /** The begin of the bucket, as text of the axis and of the table. */
  label: string;
  completed: number;
  failed: number;
  /** Canceled, rejected, running and waiting runs. */
  other: number;
  /** Runs of the same bucket of the range before. */
  previous?: number;
}

interface BarChartProps {
  /** The caption of the table that screen readers get. */
  caption: string;
  bars: readonly Bar[];
  height?: number;
  /** One bar in this many has a label below it. */
  labelEvery: number;
  /** A click on a bar, or Enter while it has the focus. */
  onPick?: (index: number) => void;
}

const BAR = 24;
const GAP = 10;

/** Stacked bars of runs. One bar is in the tab order; the arrow keys move between bars. */
export function BarChart({ caption, bars, height = 130, labelEvery, onPick }: BarChartProps) {
  const [current, setCurrent] = useState(bars.length - 1);
  const [shown, setShown] = useState<number>();
  const chart = useRef<SVGSVGElement>(null);
  const captionId = useId();
  const highest = Math.max(1, ...bars.map((bar) => Math.max(totalOf(bar), bar.previous ?? 0)));
  const focusable = Math.min(current, bars.length - 1);
  const scale = (count: number): number => (count / highest) * height;

  function focusBar(index: number): void {
    setCurrent(index);
    chart.current?.querySelectorAll<SVGGElement>("g[tabindex]")[index]?.focus();
  }

  function onKeyDown(event: KeyboardEvent, index: number): void {
    const target = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: bars.length - 1 }[event.key];
    if (target !== undefined && bars[target] !== undefined) {
      event.preventDefault();
      focusBar(target);
    } else if (event.key === "Enter") onPick?.(index);
  }

  const detail = shown === undefined ? undefined : bars[shown];
  return (
    <figure className="bar-chart">
      <svg
        ref={chart}
        role="group"
        aria-labelledby={captionId}
        viewBox={`0 0 ${bars.length * (BAR + GAP)} ${height}`}
        preserveAspectRatio="none"
        style={{ height }}
        onMouseLeave={() => setShown(undefined)}
      >
        {bars.map((bar, index) => (
          <g
            key={bar.label + String(index)}
            role="img"
            aria-label={sentenceOf(bar)}
            tabIndex={index === focusable ? 0 : -1}
            className={onPick === undefined ? "bar" : "bar pickable"}
            onFocus={() => {
              setCurrent(index);
              setShown(index);
            }}
            onBlur={() => setShown(undefined)}
            onMouseEnter={() => setShown(index)}
            onKeyDown={(event) => onKeyDown(event, index)}
            onClick={() => onPick?.(index)}
          >
            <StackedBar bar={bar} x={index * (BAR + GAP)} height={height} scale={scale} />
          </g>
        ))}
      </svg>
      <div className="bar-labels" aria-hidden="true">
        {bars.map((bar, index) => (
          <span key={bar.label + String(index)}>{index % labelEvery === 0 ? bar.label : ""}</span>
        ))}
      </div>
      <p className="bar-detail small muted" aria-hidden="true">
        {detail === undefined ? "" : sentenceOf(detail)}
      </p>
      <BarTable captionId={captionId} caption={caption} bars={bars} />
    </figure>
  );
}

interface StackedBarProps {
  bar: Bar;
  /** The left edge of the space of the bar. */
  x: number;
  height: number;
  scale: (count: number) => number;
}

function StackedBar({ bar, x: left, height, scale }: StackedBarProps) {
  const x = left + GAP / 2;
  const [total, failed] = [scale(totalOf(bar)), scale(bar.failed)];
  return (
    <>
      <rect className="area" x={left} y={0} width={BAR + GAP} height={height} />
      {bar.previous !== undefined && bar.previous > 0 && (
        <rect
          className="previous"
          x={x}
          y={height - scale(bar.previous)}
          width={BAR}
          height={scale(bar.previous)}
          rx={2}
        />
      )}
      <rect className="completed" x={x} y={height - total} width={BAR} height={total} rx={2} />
      {bar.other > 0 && (
        <rect
          className="other"
          x={x}
          y={height - failed - scale(bar.other)}
          width={BAR}
          height={scale(bar.other)}
        />
      )}
      {bar.failed > 0 && (
        <rect
          className="failed"
          x={x}
          y={height - Math.max(2, failed)}
          width={BAR}
          height={Math.max(2, failed)}
          rx={2}
        />
      )}
    </>
  );
}

interface BarTableProps {
  captionId: string;
  caption: string;
  bars: readonly Bar[];
}

/** The same figures for screen readers. */
function BarTable({ captionId, caption, bars }: BarTableProps) {
  return (
    <table className="visually-hidden">
      <caption id={captionId}>{caption}</caption>
      <thead>
        <tr>
          <th>Time</th>
          <th>Completed</th>
          <th>Failed</th>
          <th>Other</th>
        </tr>
      </thead>
      <tbody>
        {bars.map((bar, index) => (
          <tr key={bar.label + String(index)}>
            <th>{bar.label}</th>
            <td>{bar.completed}</td>
            <td>{bar.failed}</td>
            <td>{bar.other}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function totalOf({ completed, failed, other }: Bar): number {
  return completed + failed + other;
}

function sentenceOf({ label, completed, failed, other, previous }: Bar): string {
  return [
    `${label}: ${completed} completed`,
    `${failed} failed`,
    ...(other > 0 ? [`${other} other`] : []),
    ...(previous === undefined ? [] : [`${previous} in the range before`]),
  ].join(", ");
}
