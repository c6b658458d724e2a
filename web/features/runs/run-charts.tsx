import { type Stats, type StatsRange, useStats } from "../../api/stats.ts";
import { RANGES, type RunFilter } from "../../flow/run-filter.ts";
import { BarChart } from "../../ui/charts/bar-chart.tsx";
import { Sparkline } from "../../ui/charts/sparkline.tsx";
import { barsOf, BUCKET_NAMES } from "../../ui/charts/stats-bars.ts";
import { duration } from "../../ui/time.ts";
import { formatCount } from "../../ui/tokens.ts";

interface RunChartsProps {
  filter: RunFilter;
  onChange: (next: RunFilter) => void;
}

/** The statistics know the time and the workflow: with another filter they would not match the list. */
const UNKNOWN = ["trigger", "version", "error", "minMs", "maxMs", "from", "to", "q"] as const;

const LABEL_EVERY: Record<StatsRange, number> = { "24h": 6, "7d": 8, "30d": 7 };

/** Volume, success rate and p95 above the list. A bar sets the time. */
export function RunCharts({ filter, onChange }: RunChartsProps) {
  const isKnown = UNKNOWN.every((name) => filter[name] === undefined);
  const range: StatsRange = filter.range === "7d" || filter.range === "30d" ? filter.range : "24h";
  const stats = useStats(range, filter.workflowId).data;
  if (!isKnown || filter.range === "1h" || stats === undefined || stats.totals.runs === 0) return null;
  const { totals, previous, series } = stats;
  const pick = (index: number): void => {
    const from = series[index]?.at;
    if (from === undefined) return;
    const to = new Date(Date.parse(from) + stats.bucketMs).toISOString();
    onChange({ from: new Date(from).toISOString(), to, range: "" });
  };
  return (
    <div className="run-charts">
      <section className="card pad" aria-label={`Runs by ${BUCKET_NAMES[range]}`}>
        <div className="row">
          <b className="small grow">
            Runs by {BUCKET_NAMES[range]}{" "}
            <span className="muted xs">{RANGES[range]?.label.toLowerCase()}</span>
          </b>
          <b>{formatCount(totals.runs)}</b>
        </div>
        <BarChart
          caption={`Runs by ${BUCKET_NAMES[range]}`}
          bars={barsOf(stats)}
          height={72}
          labelEvery={LABEL_EVERY[range]}
          onPick={pick}
        />
      </section>
      <Line
        title="Success rate"
        value={percent(totals.successRate)}
        before={previous.successRate === null ? undefined : percent(previous.successRate)}
        values={series.map(rateOf)}
        min={0}
      />
      <Line
        title="Duration p95"
        value={totals.p95Ms === null ? "–" : duration(totals.p95Ms)}
        before={previous.p95Ms === null ? undefined : duration(previous.p95Ms)}
        values={series.map(({ p95Ms }) => p95Ms)}
      />
    </div>
  );
}

interface LineProps {
  title: string;
  value: string;
  /** The value of the range before; undefined if it has no runs. */
  before: string | undefined;
  values: readonly (number | null)[];
  min?: number;
}

function Line({ title, value, before, values, min }: LineProps) {
  return (
    <section className="card pad" aria-label={title}>
      <div className="row">
        <b className="small grow">{title}</b>
        <b>{value}</b>
      </div>
      <Sparkline values={values} label={`${title}: ${value}`} {...(min === undefined ? {} : { min })} />
      {before === undefined ? null : <p className="xs muted">{before} in the range before</p>}
    </section>
  );
}

function rateOf({ completed, failed }: Stats["series"][number]): number | null {
  return completed + failed === 0 ? null : completed / (completed + failed);
}

function percent(rate: number | null): string {
  return rate === null ? "–" : `${(rate * 100).toFixed(1)} %`;
}
