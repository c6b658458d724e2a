import { Link } from "wouter";
import { traitsOf } from "../../../contract/steps/catalogue.ts";
import { useApprovals } from "../../api/approvals.ts";
import { useChildTask, useLoopItems } from "../../api/tasks.ts";
import { runLabel } from "../../flow/run-label.ts";
import { DecisionRow } from "./decision-row.tsx";

interface ChildDecisionProps {
  taskId: string;
  /** The step that waits for the run that it started; for a loop, one of its items does. */
  path: string;
  type: string;
}

/** The decision that a sub-workflow waits for, below the step that started it. */
export function ChildDecision(props: ChildDecisionProps) {
  const isLoop = traitsOf(props.type).loop === true && !props.path.endsWith("]");
  return isLoop ? <ItemDecisions {...props} /> : <RunDecisions {...props} />;
}

function ItemDecisions({ taskId, path }: ChildDecisionProps) {
  const { items } = useLoopItems(taskId, path, { isLive: true, onlyProblems: true });
  return items
    .flatMap(({ steps }) => steps)
    .filter(({ status }) => status === "waiting_approval")
    .map(({ stepId, type }) => <ChildDecision key={stepId} taskId={taskId} path={stepId} type={type} />);
}

function RunDecisions({ taskId, path }: ChildDecisionProps) {
  const childId = useChildTask(taskId, path, true);
  if (childId === undefined) return null;
  if (childId !== null) return <Decisions runId={childId} />;
  return (
    <p className="small tl-none">
      A workflow started by this run waits for a decision: <Link href="/approvals">open approvals</Link>.
    </p>
  );
}

function Decisions({ runId }: { runId: string }) {
  const approvals = useApprovals({ taskId: runId }).data;
  if (approvals === undefined) return null;
  // The run that it started waits in turn.
  if (approvals.length === 0)
    return (
      <p className="small tl-none">
        <Link href={`/runs/${runId}`}>Run {runLabel(runId)}</Link> waits for a decision.
      </p>
    );
  return approvals.map((approval) => <DecisionRow key={approval.stepId} approval={approval} />);
}
