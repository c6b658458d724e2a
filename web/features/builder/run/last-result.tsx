import type { StepResult } from "../../../api/types.ts";
import type { StepProgress } from "../../../flow/run-progress.ts";
import { StatusChip } from "../../../ui/status.tsx";
import { OutputView } from "../../output/output-view.tsx";

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
  return <OutputView result={result} />;
}
