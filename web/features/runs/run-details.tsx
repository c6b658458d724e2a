import { Link, useLocation } from "wouter";
import { useApprovals } from "../../api/approvals.ts";
import { replay, startPartialRun, useTaskMutation } from "../../api/tasks.ts";
import type { Graph, Task } from "../../api/types.ts";
import { isFullRun } from "../../flow/known-results.ts";
import type { RunProgress } from "../../flow/run-progress.ts";
import { stepTitle } from "../../flow/step-summary.ts";
import { Failure } from "../../ui/states.tsx";
import { builderLink } from "../builder/builder-link.ts";
import { DecisionBox } from "../approvals/decision-box.tsx";
import { RunSummary } from "./run-summary.tsx";
import { StepDetail } from "./step-detail.tsx";

export interface RunViewProps {
  task: Task;
  progress: RunProgress;
  /** The workflow was deleted or is built in, so it cannot be opened. */
  isWorkflowMissing: boolean;
}

interface RunDetailsProps extends RunViewProps {
  /** The selected step, unless the graph does not contain it. */
  step: Graph["steps"][number] | undefined;
  stepId: string | undefined;
  onClose: () => void;
}

/** The side panel of a run: open approvals, then the selected step or the whole run. */
export function RunDetails({ task, progress, isWorkflowMissing, step, stepId, onClose }: RunDetailsProps) {
  const [, navigate] = useLocation();
  const openRun = (taskId: string): void => navigate(`/runs/${taskId}`);
  const replayFrom = useTaskMutation((fromStepId: string) => replay(task.id, { fromStepId }), openRun);
  const runStep = useTaskMutation(
    (id: string) =>
      startPartialRun(task.workflowId, { stepIds: [id], fromTaskId: task.id, input: task.input }),
    openRun,
  );
  const error = replayFrom.error ?? runStep.error;
  return (
    <aside className="run-side stack" aria-label="Details">
      {progress.status === "waiting_approval" && <OpenApprovals taskId={task.id} />}
      {error !== null && <Failure error={error} />}
      {stepId === undefined ? (
        <RunSummary task={task} isWorkflowMissing={isWorkflowMissing} />
      ) : (
        <>
          <div>
            <button type="button" className="btn ghost tiny" onClick={onClose}>
              ← Whole run
            </button>
          </div>
          <StepDetail
            key={stepId}
            taskId={task.id}
            title={step === undefined ? stepId : stepTitle(step)}
            stepId={stepId}
            result={task.stepResults.find((result) => result.stepId === stepId)}
            progress={progress.steps.get(stepId)}
            builderHref={
              isWorkflowMissing || step === undefined ? undefined : builderLink(task.workflowId, stepId)
            }
            onReplay={() => replayFrom.mutate(stepId)}
            onRunOnly={isFullRun(task) ? () => runStep.mutate(stepId) : undefined}
            busy={replayFrom.isPending || runStep.isPending}
          />
        </>
      )}
    </aside>
  );
}

function OpenApprovals({ taskId }: { taskId: string }) {
  const approvals = useApprovals(taskId).data;
  if (approvals?.length === 0)
    return (
      <div className="notice wait">
        <span>
          A workflow started by this run is waiting for a decision:{" "}
          <Link href="/approvals">open approvals</Link>.
        </span>
      </div>
    );
  return (
    <>
      {approvals?.map((approval) => (
        <DecisionBox key={approval.stepId} approval={approval} />
      ))}
    </>
  );
}
