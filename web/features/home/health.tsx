import type { ReactNode } from "react";
import { type Stats, type StatsRange, useStats } from "../../api/stats.ts";
import { BarChart } from "../../ui/charts/bar-chart.tsx";
import { Sparkline } from "../../ui/charts/sparkline.tsx";
import { barsOf, BUCKET_NAMES } from "../../ui/charts/stats-bars.ts";
import { Loaded } from "../../ui/states.tsx";
import { duration } from "../../ui/time.ts";
import { difference, percentChange, pointsChange } from "./changes.ts";

const RANGE_NAMES: Record<StatsRange, string> = {
  "24h": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
};
const LABEL_EVERY: Record<StatsRange, number> = { "24h": 3, "7d": 4, "30d": 5 };

/** Numbers of the range with the change against the range before, and the runs of each bucket. */
export function Health({ range }: { range: StatsRange }) {
  return (
    <Loaded query={useStats(range)}>
      {(stats) => (
        <>
          <Numbers stats={stats} />
          <Runs stats={stats} />
        </>
      )}
    </Loaded>
  );
}

function Numbers({ stats: { range, series, totals, previous, now } }: { stats: Stats }) {
  const rates = series.map(({ completed, failed }) =>
    completed + failed === 0 ? null : completed / (completed + failed),
  );
  const successChange = pointsChange(totals.successRate, previous.successRate);
  const waiting = now.waiting + now.waitingApproval;
  return (
    <section className="card health" aria-label={`Health of the last ${RANGE_NAMES[range]}`}>
      <Number
        name="Runs"
        value={totals.runs.toLocaleString("en")}
        change={percentChange(totals.runs, previous.runs)}
        line={
          <Sparkline
            label={`Runs by ${BUCKET_NAMES[range]}`}
            min={0}
            values={series.map(
              (each) =>
                each.completed + each.failed + each.cancelled + each.rejected + each.running + each.waiting,
            )}
          />
        }
      />
      <Number
        name="Success rate"
        value={totals.successRate === null ? "–" : `${(totals.successRate * 100).toFixed(1)} %`}
        change={successChange}
        tone={successChange.startsWith("−") ? "c-bad" : "c-ok"}
        line={
          <Sparkline
            label={`Success rate by ${BUCKET_NAMES[range]}`}
            tone={successChange.startsWith("−") ? "bad" : "accent"}
            values={rates}
          />
        }
      />
      <Number
        name="Duration p95"
        value={totals.p95Ms === null ? "–" : duration(totals.p95Ms)}
        change={difference(totals.p95Ms, previous.p95Ms)}
        line={
          <Sparkline
            label={`95th percentile of durations by ${BUCKET_NAMES[range]}`}
            min={0}
            values={series.map(({ p95Ms }) => p95Ms)}
          />
        }
      />
      <Number
        name="Running now"
        value={(now.running + now.queued).toLocaleString("en")}
        change={`${waiting} waiting`}
        line={
          <Sparkline
            label={`Open runs by ${BUCKET_NAMES[range]} of their begin`}
            tone="run"
            min={0}
            values={series.map(({ running, waiting: parked }) => running + parked)}
          />
        }
      />
    </section>
  );
}

interface NumberProps {
  name: string;
  value: string;
  /** Empty without a range to compare with. */
  change: string;
  tone?: string;
  line: ReactNode;
}

function Number({ name, value, change, tone = "muted", line }: NumberProps) {
  return (
    <div className="health-number">
      <span className="small muted">{name}</span>
      <p>
        <strong className="num">{value}</strong>{" "}
        {change !== "" && (
          <span className={`small num ${tone}`} title="Compared with the range before">
            {change}
          </span>
        )}
      </p>
      {line}
    </div>
  );
}

function Runs({ stats }: { stats: Stats }) {
  const { range, totals } = stats;
  const bars = barsOf(stats);
  return (
    <section className="card" aria-label={`Runs by ${BUCKET_NAMES[range]}`}>
      <header className="home-head">
        <h2>Runs by {BUCKET_NAMES[range]}</h2>
        <span className="small muted nowrap">
          <i className="chart-key" style={{ background: "var(--accent)" }} />
          completed
        </span>
        <span className="small muted nowrap">
          <i className="chart-key" style={{ background: "var(--bad)" }} />
          failed
        </span>
        {bars.some(({ other }) => other > 0) && (
          <span className="small muted nowrap">
            <i className="chart-key" style={{ background: "var(--run)" }} />
            other
          </span>
        )}
        <span className="small muted nowrap wide-only">
          <i className="chart-key" style={{ background: "var(--line-strong)" }} />
          the {RANGE_NAMES[range]} before
        </span>
        <span className="grow" />
        {totals.failed > 0 && <span className="small c-bad nowrap">{totals.failed} failed</span>}
      </header>
      <div className="home-chart">
        <BarChart
          key={range}
          caption={`Runs by ${BUCKET_NAMES[range]}`}
          bars={bars}
          labelEvery={LABEL_EVERY[range]}
        />
      </div>
    </section>
  );
}
