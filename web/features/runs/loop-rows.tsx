import { Fragment, type ReactNode, useEffect } from "react";
import type { Step } from "../../../contract/graph.ts";
import type { LoopItem, LoopStep } from "../../../contract/tasks.ts";
import { iterationOf, iterationPath } from "../../../contract/step-path.ts";
import { useLoopItems } from "../../api/tasks.ts";
import { innerSteps } from "../../flow/inner-steps.ts";
import { progressOf } from "../../flow/run-progress.ts";
import { timedOf } from "../../flow/timed-step.ts";
import { itemLabel } from "../../flow/item-label.ts";
import { isWaitType, type Segment, segmentsOf, type Timed } from "../../flow/timeline.ts";
import { Failure } from "../../ui/states.tsx";
import { StatusChip } from "../../ui/status.tsx";
import { duration } from "../../ui/time.ts";
import { formatCount } from "../../ui/tokens.ts";
import type { StepRowsProps } from "./step-rows-props.ts";
import { useTimeline } from "./timeline-context.ts";
import { TimelineRow } from "./timeline-row.tsx";

/** "2 of 3": the completed items of a loop. */
export function LoopSummary({ path, isLive }: { path: string; isLive: boolean }) {
  const { task, reportLoopWork } = useTimeline();
  const { items, hasMore, counts, total } = useLoopItems(task.id, path, { isLive, onlyProblems: false });
  // Changes with every start and end of a step.
  const times = hasMore
    ? ""
    : JSON.stringify(items.flatMap(({ steps }) => steps.map(progressOf).map(timedOf)));
  useEffect(() => {
    if (times !== "" && times !== "[]") reportLoopWork(path, JSON.parse(times) as Timed[]);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the function is another one in every render
  }, [path, times]);
  if (total === 0) return null;
  return (
    <>
      {formatCount(counts.completed ?? 0)} of {formatCount(total)}
    </>
  );
}

/** "2 failed": a loop that skips failed items completes, so its status does not tell. */
export function LoopFailures({ path, isLive }: { path: string; isLive: boolean }) {
  const { task } = useTimeline();
  const { counts } = useLoopItems(task.id, path, { isLive, onlyProblems: false });
  const failed = counts.failed ?? 0;
  return failed === 0 ? null : <span className="bad-ink">{formatCount(failed)} failed</span>;
}

interface LoopRowsProps {
  loop: Step | undefined;
  path: string;
  depth: number;
  isLive: boolean;
  renderStep: (props: StepRowsProps) => ReactNode;
}

/** The items of a loop: the first page, and more on request. */
export function LoopRows({ loop, path, depth, isLive, renderStep }: LoopRowsProps) {
  const { task, onlyProblems } = useTimeline();
  const list = useLoopItems(task.id, path, { isLive, onlyProblems });
  const steps = new Map(loop === undefined ? [] : innerSteps(loop).map((step) => [step.stepId, step]));
  return (
    <>
      {list.error !== null && <Failure error={list.error} />}
      {list.items.map((item) => (
        <ItemRows
          key={item.index}
          item={item}
          loopPath={path}
          noun={loop?.type === "while" ? "Iteration" : "Item"}
          depth={depth}
          steps={steps}
          renderStep={renderStep}
        />
      ))}
      {list.hasMore && (
        <div className="tl-more" style={{ paddingLeft: `calc(${depth} * 22px + 42px)` }}>
          <button type="button" className="btn tiny" disabled={list.isLoadingMore} onClick={list.loadMore}>
            Show more items
          </button>
          <span className="muted">
            {formatCount(list.items.length)} of {formatCount(list.total)} shown
          </span>
        </div>
      )}
    </>
  );
}

interface ItemRowsProps {
  item: LoopItem;
  loopPath: string;
  noun: "Item" | "Iteration";
  depth: number;
  steps: ReadonlyMap<string, Step>;
  renderStep: LoopRowsProps["renderStep"];
}

function ItemRows({ item, loopPath, noun, depth, steps, renderStep }: ItemRowsProps) {
  const { isLive, scale, isOpen } = useTimeline();
  const path = iterationPath(loopPath, item.index);
  const [only] = item.steps;
  // A loop over a workflow has one step per item, with the path of the item.
  const isCall = item.steps.length === 1 && only?.stepId === path;
  const segments: Segment[] = item.steps.flatMap((step) =>
    segmentsOf(scale, barOf(step), [], isWaitType(step.type)),
  );
  const ended = item.steps.map(({ completedAt }) => completedAt).filter((at) => at !== null);
  const started = item.steps.map(({ startedAt }) => startedAt).filter((at) => at !== null);
  const isDone = item.status === "completed" || item.status === "failed";
  const spent =
    isDone && started.length > 0 && ended.length > 0
      ? duration(
          Math.max(...ended.map((at) => Date.parse(at))) - Math.min(...started.map((at) => Date.parse(at))),
        )
      : "";
  const isRetrying = item.steps.some(({ status, error }) => status === "waiting" && error !== null);
  const status = !isLive && item.status === "running" ? "stopped" : item.status;
  return (
    <>
      <TimelineRow
        path={path}
        status={status}
        depth={depth}
        title={`${noun} ${item.index + 1}`}
        detail={itemLabel(item.item)}
        state={
          item.status === "completed" ? (
            <span className="ok-ink">Completed</span>
          ) : item.status === "pending" || status === "stopped" ? (
            <span className="muted">{status === "stopped" ? "Not finished" : "Not started"}</span>
          ) : isRetrying ? (
            <span className="chip wait dot">Retrying</span>
          ) : (
            <StatusChip status={item.status} />
          )
        }
        amount={spent}
        segments={segments}
        expandable={!isCall && item.steps.length > 0}
        isLater={item.status === "pending"}
      />
      {!isCall &&
        isOpen(path) &&
        item.steps.map((step) => (
          <Fragment key={step.stepId}>
            {renderStep({
              step: steps.get(iterationOf(step.stepId, loopPath)?.innerPath ?? ""),
              path: step.stepId,
              depth: depth + 1,
              progress: progressOf(step),
              reason: "Not taken",
            })}
          </Fragment>
        ))}
    </>
  );
}

function barOf({ status, startedAt, completedAt }: LoopStep) {
  return {
    status,
    startedAt: startedAt === null ? null : Date.parse(startedAt),
    endedAt: completedAt === null ? null : Date.parse(completedAt),
  };
}
