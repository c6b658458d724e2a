import { Pencil, Play, RotateCcw } from "lucide-react";
import { Link } from "wouter";
import type { StepResult } from "../../api/types.ts";
import type { StepProgress } from "../../flow/run-progress.ts";
import { StatusChip } from "../../ui/status.tsx";
import { dateTime } from "../../ui/time.ts";
import { OutputView } from "../output/output-view.tsx";

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
  const status = progress?.status ?? result?.status;
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
        result === undefined && (
          <div className="row wrap">
            <StatusChip status={status} />
          </div>
        )
      )}
      {progress?.dueAt !== null && progress?.dueAt !== undefined && (
        <span className="small muted">continues {dateTime(progress.dueAt)}</span>
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
      {result !== undefined && <OutputView result={result} taskId={taskId} />}
    </section>
  );
}
