import { Workflow as WorkflowIcon } from "lucide-react";
import { Link } from "wouter";
import { stepAt } from "../../../contract/graph/step-titles.ts";
import { traitsOf } from "../../../contract/steps/catalogue.ts";
import { isFinal, useChildTask } from "../../api/tasks.ts";
import type { Graph, Task } from "../../api/types.ts";
import { runLabel } from "../../flow/run-label.ts";

interface ChildRunProps {
  task: Task;
  graph: Graph;
  /** The path of a step, or of an item of a loop. */
  path: string;
}

/** The run of a sub-workflow, which has the steps that ran and the one that failed. */
export function ChildRunLink(props: ChildRunProps) {
  return startsRun(props) ? <LinkToChild {...props} /> : null;
}

function LinkToChild({ task, path }: ChildRunProps) {
  const childId = useChildTask(task.id, path, !isFinal(task.status));
  if (typeof childId !== "string") return null;
  return (
    <Link className="btn tiny" href={`/runs/${childId}`}>
      <WorkflowIcon size={13} /> Open run {runLabel(childId)}
    </Link>
  );
}

/** How a run is repaired whose sub-workflow failed: that one keeps its version when only this run is repeated. */
export function ChildRunRepair(props: ChildRunProps) {
  return startsRun(props) ? <RepairOfChild {...props} /> : null;
}

function RepairOfChild({ task, path }: ChildRunProps) {
  const childId = useChildTask(task.id, path, false);
  if (typeof childId !== "string") return null;
  return (
    <p className="notice small" role="note">
      The step that failed is in run {runLabel(childId)}. If you change its workflow, rerun{" "}
      {runLabel(childId)} first, and then this run: it continues with the new result.
    </p>
  );
}

/** A loop over a workflow starts one run per item; the loop itself has none. */
function startsRun({ graph, path }: ChildRunProps): boolean {
  const step = stepAt(graph, path);
  if (step === undefined) return false;
  return step.type === "workflow" || (traitsOf(step.type).loop === true && path.endsWith("]"));
}
