import { Pencil, Play, RotateCcw } from "lucide-react";
import { Link } from "wouter";
import { useAttempts } from "../../api/tasks.ts";
import type { StepResult } from "../../api/types.ts";
import type { StepProgress } from "../../flow/run-progress.ts";
import { JsonView } from "../../ui/json-view.tsx";
import { StatusChip } from "../../ui/status.tsx";
import { duration, moment } from "../../ui/time.ts";
import { tokenText } from "../../ui/tokens.ts";
import { AttemptList } from "./attempt-list.tsx";

interface StepDetailProps {
  taskId: string;
  title: string;
  stepId: string;
  result: StepResult | undefined;
  progress: StepProgress | undefined;
  /** Where the step can be mended, as long as its workflow is there. */
  inBuilder: string | undefined;
  onReplay: () => void;
  /** Not for a run of some steps: it does not know what the others gave. */
  onRunOnly: (() => void) | undefined;
  busy: boolean;
}

/** One step of one run: what went in, what came out, each try, and what to do with it. */
export function StepDetail({
  taskId,
  title,
  stepId,
  result,
  progress,
  inBuilder,
  onReplay,
  onRunOnly,
  busy,
}: StepDetailProps) {
  const tokens = tokenText(result?.["usage"]);
  const status = progress?.status ?? result?.status;
  const tries = progress?.attempt ?? result?.attempts ?? 1;
  const attempts = useAttempts(taskId, stepId, `${status} ${tries} ${progress?.endedAt}`);
  return (
    <section className="stack" aria-label="Step">
      <div>
        <div className="caps">{result?.type ?? progress?.type ?? "Step"}</div>
        <h2>{title}</h2>
        <code className="muted small">{stepId}</code>
      </div>
      {status === undefined ? (
        <p className="small muted">This step has not run in this run.</p>
      ) : (
        <div className="row wrap">
          <StatusChip status={status} />
          {result !== undefined && <span className="small muted">{duration(result.durationMs)}</span>}
          {progress?.dueAt !== null && progress?.dueAt !== undefined && (
            <span className="small muted">goes on {moment(progress.dueAt)}</span>
          )}
          {tries > 1 && <span className="small muted">{tries} tries</span>}
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
        {inBuilder !== undefined && (
          <Link className="btn tiny" href={inBuilder}>
            <Pencil size={13} /> Open in the builder
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
            <JsonView value={result.output} />
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
