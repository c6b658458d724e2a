import { Suspense } from "react";
import { Link } from "wouter";
import { type StatsRange, useFailures, useRecentRuns } from "../../api/stats.ts";
import { RunBars } from "../../ui/charts/run-bars.tsx";
import { lazyComponent } from "../../ui/lazy-component.ts";
import { Loaded, Skeleton } from "../../ui/states.tsx";
import { useStoredState } from "../../ui/stored-state.ts";

const Group = lazyComponent(() => import("./failure-group.tsx"), "Group");

const SHOWN = 8;
const BARS = 10;
const NO_KEYS: readonly string[] = [];
const QUIET: Record<StatsRange, string> = {
  "24h": "No failures in 24 hours",
  "7d": "No failures in 7 days",
  "30d": "No failures in 30 days",
};

/** Failed runs with the same cause, with what can be done about them. */
export function FailureGroups({ range }: { range: StatsRange }) {
  const [muted, setMuted] = useStoredState("baton:muted-failures", NO_KEYS);
  const recent = useRecentRuns();
  return (
    <Loaded query={useFailures(range)} rows={2}>
      {({ failures, complete }) => {
        const shown = failures.filter(({ key }) => !muted.includes(key));
        const hidden = failures.length - shown.length;
        const runs = shown.reduce((sum, { count }) => sum + count, 0);
        return (
          <section className="card" aria-label="Failures by error">
            <header className="home-head">
              <h2>Failures by error</h2>
              {runs > 0 && (
                <span className="small muted">
                  {runs}
                  {complete ? "" : "+"} {runs === 1 ? "run" : "runs"}
                </span>
              )}
              <span className="grow" />
              <Link href="/runs?status=failed" className="small">
                All failed runs
              </Link>
            </header>
            {failures.length === 0 && <p className="home-item small muted">{QUIET[range]}</p>}
            <Suspense fallback={<Skeleton rows={2} />}>
              {shown.slice(0, SHOWN).map((group) => (
                <Group
                  key={group.key}
                  group={group}
                  bars={<RunBars runs={recent?.get(group.workflowId)?.runs ?? []} count={BARS} />}
                  onMute={() => setMuted([...muted, group.key])}
                />
              ))}
            </Suspense>
            {hidden > 0 && (
              <p className="home-item small muted row">
                <span className="grow">{hidden} muted</span>
                <button
                  type="button"
                  className="btn ghost"
                  onClick={() => setMuted(muted.filter((key) => !failures.some((each) => each.key === key)))}
                >
                  Show muted
                </button>
              </p>
            )}
          </section>
        );
      }}
    </Loaded>
  );
}
