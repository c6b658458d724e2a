import { Pencil, Play, RotateCcw } from "lucide-react";
import { Link } from "wouter";
import { useAttempts } from "../../api/tasks.ts";
import type { StepResult } from "../../api/types.ts";
import type { StepProgress } from "../../flow/run-progress.ts";
import { JsonView } from "../../ui/json-view.tsx";
import { StoredValue } from "./stored-value.tsx";
import { StatusChip } from "../../ui/status.tsx";
import { duration, dateTime } from "../../ui/time.ts";
import { formatSpent } from "../../ui/tokens.ts";
import { AttemptList } from "./attempt-list.tsx";

interface StepDetailProps {
  taskId: string;
  title: string;
  stepId: string;
  result: StepResult | undefined;
  progress: StepProgress | undefined;
  /** Link to the step in the builder; undefined when the workflow was deleted. */
  builderHref: string | undefined;
  onReplay: () => void;
  /** Undefined for a partial run, which does not have the outputs of the other steps. */
  onRunOnly: (() => void) | undefined;
  busy: boolean;
}

/** A step of a run: input, output, attempts and actions. */
export function StepDetail({
  taskId,
  title,
  stepId,
  result,
  progress,
  builderHref,
  onReplay,
  onRunOnly,
  busy,
}: StepDetailProps) {
  const tokens = formatSpent(result?.["usage"], result?.["cost"]);
  const status = progress?.status ?? result?.status;
  const attemptCount = progress?.attempt ?? result?.attempts ?? 1;
  const attempts = useAttempts(taskId, stepId, `${status} ${attemptCount} ${progress?.endedAt}`);
  return (
    <section className="stack" aria-label="Step">
      <div>
        <div className="caps">{result?.type ?? progress?.type ?? "Step"}</div>
        <h2>{title}</h2>
        <code className="muted small">{stepId}</code>
      </div>
      {status === undefined ? (
        <p className="small muted">This step did not run.</p>
      ) : (
        <div className="row wrap">
          <StatusChip status={status} />
          {result !== undefined && <span className="small muted">{duration(result.durationMs)}</span>}
          {progress?.dueAt !== null && progress?.dueAt !== undefined && (
            <span className="small muted">continues {dateTime(progress.dueAt)}</span>
          )}
          {attemptCount > 1 && <span className="small muted">{attemptCount} attempts</span>}
          {tokens !== undefined && <span className="small muted">{tokens}</span>}
        </div>
      )}
      <div className="row wrap">
        <button type="button" className="btn tiny" disabled={busy} onClick={onReplay}>
          <RotateCcw size={13} /> Replay from here
        </button>
        {onRunOnly !== undefined && (
          <button type="button" className="btn tiny" disabled={busy} onClick={onRunOnly}>
            <Play size={13} /> Run this step
          </button>
        )}
        {builderHref !== undefined && (
          <Link className="btn tiny" href={builderHref}>
            <Pencil size={13} /> Open in builder
          </Link>
        )}
      </div>
      {result?.error !== null && result?.error !== undefined && (
        <div className="notice bad" role="alert">
          <div>
            <b>{result.error.code}</b>
            <p>{result.error.message}</p>
          </div>
        </div>
      )}
      <AttemptList list={attempts} />
      {result !== undefined && (
        <>
          <div className="stack tight">
            <b className="small">Output</b>
            <StoredValue value={result.output} />
          </div>
          <div className="stack tight">
            <b className="small">Input</b>
            <JsonView value={result.input} />
          </div>
        </>
      )}
    </section>
  );
}
