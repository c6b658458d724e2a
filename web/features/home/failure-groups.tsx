import { RotateCcw } from "lucide-react";
import { Link } from "wouter";
import { type FailureGroup, type StatsRange, useFailures, useRecentRuns } from "../../api/stats.ts";
import { changeTasks, useTaskMutation } from "../../api/tasks.ts";
import { useWorkflowName } from "../../api/workflows.ts";
import { RunBars } from "../../ui/charts/run-bars.tsx";
import { builderLink } from "../builder/builder-link.ts";
import { Failure, Loaded } from "../../ui/states.tsx";
import { useStoredState } from "../../ui/stored-state.ts";
import { shortDateTime } from "../../ui/time.ts";
import { showToast } from "../../ui/toasts.tsx";
import { Allowed } from "../../ui/allowed.tsx";

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
            {shown.slice(0, SHOWN).map((group) => (
              <Group
                key={group.key}
                group={group}
                bars={<RunBars runs={recent?.get(group.workflowId)?.runs ?? []} count={BARS} />}
                onMute={() => setMuted([...muted, group.key])}
              />
            ))}
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

interface GroupProps {
  group: FailureGroup;
  bars: React.ReactNode;
  onMute: () => void;
}

function Group({ group, bars, onMute }: GroupProps) {
  const { workflowId, stepId, stepTitle, message, count, firstAt, lastAt, taskIds } = group;
  const nameOf = useWorkflowName();
  const rerun = useTaskMutation(rerunAll, ({ started, refused }) =>
    showToast(
      refused === 0
        ? `${started} ${started === 1 ? "run continues" : "runs continue"} from the failed step.`
        : `${started} continue, ${refused} could not be rerun.`,
    ),
  );
  const [first, last] = [shortDateTime(firstAt), shortDateTime(lastAt)];
  return (
    <div className="home-item">
      <p className="home-title">
        <span className="c-bad num">{count}×</span>{" "}
        <Link href={`/runs/${taskIds[0]}`} title="Open the newest of these runs">
          {message}
        </Link>
      </p>
      <p className="small muted">
        {nameOf(workflowId)}
        {stepTitle !== null && ` › ${stepTitle}`} · {first === last ? first : `${first} to ${last}`}
      </p>
      {rerun.error !== null && <Failure error={rerun.error} />}
      <div className="row home-buttons">
        <Allowed to="changeTasks">
          <button
            type="button"
            className="btn"
            disabled={rerun.isPending}
            aria-label={`Rerun ${taskIds.length}: ${message}`}
            onClick={() => rerun.mutate(taskIds)}
          >
            <RotateCcw size={14} /> {rerun.isPending ? "Rerunning …" : `Rerun ${taskIds.length}`}
          </button>
        </Allowed>
        <Link
          href={stepId === null ? `/workflows/${workflowId}` : builderLink(workflowId, stepId)}
          className="btn"
        >
          Open step
        </Link>
        <button type="button" className="btn ghost" aria-label={`Mute: ${message}`} onClick={onMute}>
          Mute
        </button>
        <span className="grow" />
        {bars}
      </div>
    </div>
  );
}

/** With the live version. A run that was rerun or deleted meanwhile is left out. */
async function rerunAll(taskIds: readonly string[]): Promise<{ started: number; refused: number }> {
  const results = await changeTasks({ action: "rerun", ids: [...taskIds], version: "current" });
  const started = results.filter(({ ok }) => ok).length;
  return { started, refused: results.length - started };
}
