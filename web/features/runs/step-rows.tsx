import { Check } from "lucide-react";
import type { ReactNode } from "react";
import type { Step } from "../../../contract/graph.ts";
import { traitsOf } from "../../../contract/steps/catalogue.ts";
import { messageOf } from "../../api/api-error.ts";
import { retryNow, type StepAttempt, useAttempts, useTaskMutation } from "../../api/tasks.ts";
import { isConnectionError } from "../../flow/connection-error.ts";
import { errorText } from "../../flow/error-text.ts";
import type { StepProgress } from "../../flow/run-progress.ts";
import { stepTitle } from "../../../contract/graph/step-titles.ts";
import { type AttemptTimes, isWaitType, segmentsOf } from "../../flow/timeline.ts";
import { StatusChip, statusLabel } from "../../ui/status.tsx";
import { countdown, dateTime, duration, shortDateTime } from "../../ui/time.ts";
import { showToast } from "../../ui/toasts.tsx";
import { DecidedBy } from "./decided-by.tsx";
import { EventWaitRow } from "./event-wait-row.tsx";
import { LoopFailures, LoopRows, LoopSummary } from "./loop-rows.tsx";
import type { StepRowsProps } from "./step-rows-props.ts";
import { useTimeline } from "./timeline-context.ts";
import { TimelineRow } from "./timeline-row.tsx";
import { useMay } from "../../api/permissions.ts";

export function isProblem({ status, error }: Pick<StepProgress, "status" | "error">): boolean {
  return status === "failed" || status === "waiting_approval" || error !== null;
}

/** A step with its attempts and, for a loop, its items. */
export function StepRows({ step, path, depth, progress, reason, decision }: StepRowsProps) {
  const { task, isLive, scale, now, isOpen } = useTimeline();
  const type = step?.type ?? progress?.type ?? "";
  const title = step === undefined ? path : stepTitle(step);
  if (progress === undefined || progress.status === "skipped")
    return (
      <TimelineRow
        path={path}
        status={progress?.status ?? "pending"}
        depth={depth}
        title={title}
        type={type}
        state={<span className="muted">{reason}</span>}
        amount=""
        isLater
      />
    );
  const isLoop = traitsOf(type).loop === true;
  const hasAttempts = progress.attempt > 1 || (progress.status === "waiting" && progress.error !== null);
  const endedAt = timeOf(progress.endedAt);
  const startedAt = timeOf(progress.startedAt);
  const bar = { status: progress.status, startedAt, endedAt };
  const row = (attempts: readonly StepAttempt[], amount: ReactNode) => (
    <TimelineRow
      path={path}
      status={progress.status}
      depth={depth}
      title={isLoop ? <b>{title}</b> : title}
      detail={
        progress.status === "waiting" && progress.error !== null ? (
          <span className="bad-ink">{errorText(progress.error.message, type)}</span>
        ) : type === "approval" && endedAt !== null ? (
          <DecidedBy taskId={task.id} path={path} />
        ) : isLoop ? (
          <LoopFailures path={path} isLive={isLive && endedAt === null} />
        ) : type === "delay" && progress.status === "waiting" && progress.dueAt !== null ? (
          <>
            until{" "}
            <time dateTime={progress.dueAt} title={dateTime(progress.dueAt)}>
              {shortDateTime(progress.dueAt)}
            </time>
          </>
        ) : attempts.length > 1 ? (
          `${attempts.length} attempts`
        ) : undefined
      }
      type={type}
      state={<StepState step={step} progress={progress} now={now} />}
      amount={amount}
      isCount={isLoop}
      segments={segmentsOf(scale, bar, attempts.map(timesOf), isWaitType(type))}
      expandable={isLoop || hasAttempts}
      actions={<RetryNow path={path} progress={progress} />}
    />
  );
  const spent =
    startedAt === null ? "" : duration(endedAt === null ? elapsed(startedAt, now) : endedAt - startedAt);
  return (
    <>
      {hasAttempts ? (
        <WithAttempts path={path} progress={progress}>
          {(attempts) => (
            <>
              {row(attempts, spent)}
              {isOpen(path) &&
                attempts.map((attempt) => (
                  <AttemptRow
                    key={keyOf(attempt)}
                    path={path}
                    depth={depth + 1}
                    attempt={attempt}
                    type={type}
                  />
                ))}
            </>
          )}
        </WithAttempts>
      ) : (
        row([], isLoop ? <LoopSummary path={path} isLive={isLive && endedAt === null} /> : spent)
      )}
      {type === "wait_event" && progress.status === "waiting" && isLive && (
        <EventWaitRow taskId={task.id} path={path} />
      )}
      {decision}
      {isLoop && isOpen(path) && (
        <LoopRows
          loop={step}
          path={path}
          depth={depth + 1}
          isLive={isLive && endedAt === null}
          renderStep={(props) => <StepRows {...props} />}
        />
      )}
    </>
  );

  function elapsed(from: number, to: number | undefined): number | null {
    return to === undefined || !isLive || task.completedAt !== null ? null : Math.max(0, to - from);
  }
}

function WithAttempts({
  path,
  progress,
  children,
}: {
  path: string;
  progress: StepProgress;
  children: (attempts: readonly StepAttempt[]) => ReactNode;
}) {
  const { task } = useTimeline();
  const { status, attempt, endedAt } = progress;
  const attempts = useAttempts(task.id, path, `${status} ${attempt} ${endedAt}`).data ?? [];
  return children(attempts.toReversed());
}

/** The status in words: a retry with its countdown, a finished step with a check. */
function StepState({
  step,
  progress,
  now,
}: {
  step: Step | undefined;
  progress: StepProgress;
  now: number | undefined;
}) {
  const { status, error, dueAt, attempt } = progress;
  if (status === "waiting" && isConnectionError(error))
    return (
      <span className="chip wait dot" title={error?.message}>
        Waits for its connection
      </span>
    );
  if (status === "waiting" && error !== null) {
    const most = Number(step?.["maxRetries"] ?? 0) + 1;
    const of = most > attempt ? ` of ${most}` : "";
    const left = dueAt === null || now === undefined ? undefined : Math.max(0, Date.parse(dueAt) - now);
    return (
      <span className="chip wait dot" title={errorText(error.message, step?.type)}>
        Attempt {attempt + 1}
        {of}
        {left === undefined ? "" : ` in ${countdown(left)}`}
      </span>
    );
  }
  if (status === "completed")
    return (
      <span className="ok-ink tl-done">
        <Check size={13} aria-hidden /> {statusLabel(status)}
      </span>
    );
  return <StatusChip status={status} />;
}

function RetryNow({ path, progress: { status, error } }: { path: string; progress: StepProgress }) {
  const { task, isLive } = useTimeline();
  const may = useMay();
  const retry = useTaskMutation(() => retryNow(task.id, path));
  if (!isLive || status !== "waiting" || error === null || !may("retryTaskNow")) return null;
  return (
    <button
      type="button"
      className="btn tiny"
      disabled={retry.isPending}
      onClick={() => retry.mutate(undefined, { onError: (problem) => showToast(messageOf(problem)) })}
    >
      Retry now
    </button>
  );
}

interface AttemptRowProps {
  path: string;
  depth: number;
  attempt: StepAttempt;
  type: string;
}

function AttemptRow({ path, depth, attempt, type }: AttemptRowProps) {
  const { scale } = useTimeline();
  const times = timesOf(attempt);
  const error = attempt.error === null ? undefined : errorText(attempt.error.message, type);
  return (
    <TimelineRow
      path={path}
      status={attempt.status}
      depth={depth}
      title={`Attempt ${attempt.attempt}`}
      state={
        error === undefined ? (
          <span className="ok-ink">Completed</span>
        ) : (
          <span className="bad-ink ellipsis" title={error}>
            {error}
          </span>
        )
      }
      amount={times.startedAt === null ? "" : duration(times.endedAt - times.startedAt)}
      segments={segmentsOf(scale, times, [], false)}
    />
  );
}

function timesOf({ status, startedAt, completedAt }: StepAttempt): AttemptTimes {
  return { status, startedAt: timeOf(startedAt ?? null), endedAt: Date.parse(completedAt) };
}

function keyOf({ attempt, completedAt }: StepAttempt): string {
  return `${completedAt}/${attempt}`;
}

function timeOf(iso: string | null): number | null {
  return iso === null ? null : Date.parse(iso);
}
