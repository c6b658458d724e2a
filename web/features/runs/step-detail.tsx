import { FastForward, RotateCcw } from "lucide-react";
import type { StepResult } from "../../api/types.ts";
import type { StepProgress } from "../../flow/run-progress.ts";
import { JsonView } from "../../ui/json-view.tsx";
import { StatusChip } from "../../ui/status.tsx";
import { clockTime, duration } from "../../ui/time.ts";

interface StepDetailProps {
  title: string;
  stepId: string;
  result: StepResult | undefined;
  progress: StepProgress | undefined;
  onReplay: () => void;
  onRunOnly: () => void;
  busy: boolean;
}

/** One step of one run: each try, what went in, what came out, and what to do with it. */
export function StepDetail({ title, stepId, result, progress, onReplay, onRunOnly, busy }: StepDetailProps) {
  const usage = result?.["usage"] as Record<string, unknown> | undefined;
  const status = progress?.status ?? result?.status;
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
          {result !== undefined && result.attempts > 1 && (
            <span className="small muted">{result.attempts} tries</span>
          )}
          {usage !== undefined && <span className="small muted">{tokens(usage)}</span>}
        </div>
      )}
      <div className="row wrap">
        <button type="button" className="btn tiny" disabled={busy} onClick={onReplay}>
          <RotateCcw size={13} /> Replay from here
        </button>
        <button type="button" className="btn tiny" disabled={busy} onClick={onRunOnly}>
          <FastForward size={13} /> Run only this
        </button>
      </div>
      {(progress?.attempts.length ?? 0) > 1 && (
        <ol className="attempts" aria-label="Tries">
          {progress?.attempts.map((attempt, index) => (
            <li key={index} className="row">
              <span className="muted">{clockTime(attempt.at)}</span> try {attempt.attempt}
              <span className="ellipsis">
                {attempt.error === null ? attempt.status : attempt.error.message}
              </span>
            </li>
          ))}
        </ol>
      )}
      {result?.error !== null && result?.error !== undefined && (
        <div className="notice bad" role="alert">
          <div>
            <b>{result.error.code}</b>
            <p>{result.error.message}</p>
          </div>
        </div>
      )}
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

function tokens(usage: Record<string, unknown>): string {
  const total =
    usage["totalTokens"] ?? Number(usage["inputTokens"] ?? 0) + Number(usage["outputTokens"] ?? 0);
  return `${String(total)} tokens`;
}
