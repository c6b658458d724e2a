import { type ReactNode, useMemo, useState } from "react";
import { parseStepPath } from "../../../contract/step-path.ts";
import { traitsOf } from "../../../contract/steps/catalogue.ts";
import { useApprovals } from "../../api/approvals.ts";
import { isFinal } from "../../api/tasks.ts";
import type { Graph, Task } from "../../api/types.ts";
import type { RunProgress, StepProgress } from "../../flow/run-progress.ts";
import { timedOf } from "../../flow/timed-step.ts";
import { reasonNotRun } from "../../flow/step-reason.ts";
import { spanOf, ticksOf, type Timed, timeScale } from "../../flow/timeline.ts";
import { orderedSteps } from "../../flow/step-order.ts";
import { duration } from "../../ui/time.ts";
import { ChildDecision } from "./child-decision.tsx";
import { DecisionRow } from "./decision-row.tsx";
import { isProblem, StepRows } from "./step-rows.tsx";
import { TimelineContext, type TimelineState } from "./timeline-context.ts";
import { TimelineRow, TRIGGER_TYPE } from "./timeline-row.tsx";
import { TRIGGER_TITLES } from "./trigger-titles.ts";
import { useServerNow } from "./use-server-now.ts";
import "./timeline.css";

interface RunTimelineProps {
  task: Task;
  progress: RunProgress;
  /** The graph of the version that runs; without steps when it no longer exists. */
  graph: Graph;
  clockOffsetMs: number | undefined;
  selected?: string | undefined;
  onSelect: (path: string) => void;
  onlyProblems?: boolean;
}

/** Every step of a run on one time scale, with loop items, attempts and open approvals. */
export function RunTimeline(props: RunTimelineProps) {
  const { task, progress, graph, clockOffsetMs, selected, onSelect, onlyProblems = false } = props;
  const isLive = !isFinal(progress.status);
  const now = useServerNow(clockOffsetMs, isLive);
  // The rows around a step that a link or a button selects are open.
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(parentsOf(selected)));
  const [shown, setShown] = useState(selected);
  if (shown !== selected) {
    setShown(selected);
    setOpen(new Set([...open, ...parentsOf(selected)]));
  }
  const approvals = useApprovals({ taskId: task.id, isPolled: isLive }).data;
  const outputs = useMemo(
    () => new Map(task.stepResults.map(({ stepId, output }) => [stepId, output])),
    [task.stepResults],
  );
  const ordered = useMemo(() => orderedSteps(graph), [graph]);
  const [loopWork, setLoopWork] = useState<ReadonlyMap<string, readonly Timed[]>>(new Map());
  const scale = scaleOf(task, progress, loopWork, now);
  const state: TimelineState = {
    task,
    graph,
    isLive,
    scale,
    now,
    onlyProblems,
    selected,
    onSelect,
    reportLoopWork: (path, work) => setLoopWork((before) => new Map(before).set(path, work)),
    isOpen: (path) => open.has(path),
    toggle(path) {
      const next = new Set(open);
      if (!next.delete(path)) next.add(path);
      setOpen(next);
    },
  };
  const known = new Set(graph.steps.map(({ stepId }) => stepId));
  // Steps that the graph does not have, because its version is gone, are listed in the order in which they ran.
  const others = [...progress.steps.keys()].filter((id) => !known.has(id));
  const rows = [
    ...ordered.map((step) => ({ step, path: step.stepId })),
    ...others.map((path) => ({ step: undefined, path })),
  ].filter(({ path }) => {
    const step = progress.steps.get(path);
    // A partial run leaves out the other steps; nothing waits for them.
    if (task.trigger === "partial" && step === undefined) return false;
    return !onlyProblems || (step !== undefined && isProblem(step)) || traitsOf(step?.type).loop === true;
  });
  // The list is read again after a decision; the step knows of it before.
  const decisions = (approvals ?? []).filter(
    ({ stepId }) => (progress.steps.get(stepId)?.status ?? "waiting_approval") === "waiting_approval",
  );
  const isAwaited = [task.status, progress.status].includes("waiting_approval");
  const decisionsOf = (path: string, waiting: StepProgress | undefined): ReactNode => {
    const own = decisions.filter(({ stepId }) => stepId === path || isWithin(stepId, path));
    if (own.length > 0)
      return own.map((approval) => <DecisionRow key={approval.stepId} approval={approval} />);
    // An approval of a sub-workflow is not among those of the task. A loop runs on while one of its items waits.
    const waitsInside =
      waiting?.status === "waiting_approval"
        ? waiting.type !== "approval"
        : isAwaited && waiting?.endedAt === null && traitsOf(waiting.type).loop === true;
    if (waiting === undefined || !waitsInside || approvals === undefined) return undefined;
    return <ChildDecision taskId={task.id} path={path} type={waiting.type} />;
  };
  return (
    <TimelineContext.Provider value={state}>
      <section className="tl" aria-label="Timeline">
        <TimelineAxis scale={scale} />
        {!onlyProblems && (
          <TimelineRow
            path="trigger"
            status="received"
            depth={0}
            type={TRIGGER_TYPE}
            title={TRIGGER_TITLES[task.trigger] ?? task.trigger}
            state={<span className="muted">Received</span>}
            amount=""
            segments={[{ kind: "ok", ...spanOf(scale, scale.start, scale.start) }]}
          />
        )}
        {rows.map(({ step, path }) => (
          <StepRows
            key={path}
            step={step}
            path={path}
            depth={0}
            progress={progress.steps.get(path)}
            reason={
              step === undefined ? "Not taken" : reasonNotRun(graph, step, progress.steps, outputs, !isLive)
            }
            decision={decisionsOf(path, progress.steps.get(path))}
          />
        ))}
        {onlyProblems && rows.length === 0 && (
          <p className="small muted tl-none">No step failed or retried.</p>
        )}
      </section>
    </TimelineContext.Provider>
  );
}

function scaleOf(
  task: Task,
  progress: RunProgress,
  loopWork: ReadonlyMap<string, readonly Timed[]>,
  now: number | undefined,
) {
  const steps = [...progress.steps.values()].flatMap((step): Timed[] => {
    const inside = loopWork.get(step.stepId);
    const own = timedOf(step);
    // A loop works while one of its steps does.
    return inside === undefined ? [own] : [{ ...own, isWait: true }, ...inside];
  });
  return timeScale(Date.parse(task.startedAt ?? task.createdAt), steps, now);
}

/** A label that begins further right does not fit any more: it ends at the end of the axis. */
const LAST_TICK_LEFT = 94;

function TimelineAxis({ scale }: { scale: TimelineState["scale"] }) {
  return (
    <div className="tl-axis" aria-hidden>
      <span className="tl-ticks">
        {ticksOf(scale).map((tick) => {
          const { left } = spanOf(scale, scale.start + tick, scale.start + tick);
          return (
            <i key={tick} style={left > LAST_TICK_LEFT ? { right: 0 } : { left: `${left}%` }}>
              {tick === 0 ? "0 s" : duration(tick).replace(".0 s", " s")}
            </i>
          );
        })}
        {scale.breaks.map(({ from, to }) => {
          const { left, width } = spanOf(scale, from, to);
          return (
            <i key={from} className="tl-skipped" style={{ left: `${left + width / 2}%` }}>
              {duration(to - from)}
            </i>
          );
        })}
      </span>
    </div>
  );
}

function isWithin(path: string, loopPath: string): boolean {
  return path.startsWith(`${loopPath}[`);
}

/** `each[2]/fetch` → `each`, `each[2]` */
function parentsOf(path: string | undefined): string[] {
  if (path === undefined) return [];
  const parents: string[] = [];
  let prefix = "";
  for (const { loopId, index } of parseStepPath(path).iterations) {
    parents.push(`${prefix}${loopId}`, `${prefix}${loopId}[${index}]`);
    prefix = `${prefix}${loopId}[${index}]/`;
  }
  return parents;
}
