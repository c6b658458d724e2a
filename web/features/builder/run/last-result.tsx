import type { StepResult } from "../../../api/types.ts";
import type { StepProgress } from "../../../flow/run-progress.ts";
import { JsonView } from "../../../ui/json-view.tsx";
import { StoredValue } from "../../runs/stored-value.tsx";
import { StatusChip } from "../../../ui/status.tsx";
import { duration } from "../../../ui/time.ts";

interface LastResultProps {
  result: StepResult | undefined;
  live: StepProgress | undefined;
}

/** Status, output and input of the step's last run; only the status while the step is running. */
export function LastResult({ result, live }: LastResultProps) {
  if (live !== undefined && live.endedAt === null)
    return (
      <div className="row">
        <StatusChip status={live.status} />
      </div>
    );
  if (result === undefined)
    return (
      <p className="small muted">This step has not run yet. Run the workflow to see its input and output.</p>
    );
  return (
    <>
      <div className="row">
        <StatusChip status={result.status} />
        <span className="small muted">{duration(result.durationMs)}</span>
      </div>
      {result.error !== null && <div className="notice bad">{result.error.message}</div>}
      <div className="stack tight">
        <b className="small">Output</b>
        <StoredValue value={result.output} />
      </div>
      <div className="stack tight">
        <b className="small">Input</b>
        <JsonView value={result.input} />
      </div>
    </>
  );
}
