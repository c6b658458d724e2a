import type { Step } from "../../../contract/graph.ts";
import { titleAt } from "../../../contract/graph/step-titles.ts";
import { traitsOf } from "../../../contract/steps/catalogue.ts";
import { useLoopItems } from "../../api/tasks.ts";
import type { Graph } from "../../api/types.ts";

interface FailedItemProps {
  taskId: string;
  graph: Graph;
  step: Step | undefined;
  /** The path of the step. */
  path: string;
  onSelect: (path: string) => void;
}

/** Leads from a loop to the step that failed in one of its items. */
export function FailedItem(props: FailedItemProps) {
  const isLoop = traitsOf(props.step?.type).loop === true && !props.path.endsWith("]");
  return isLoop ? <FirstFailed {...props} /> : null;
}

function FirstFailed({ taskId, graph, path, onSelect }: FailedItemProps) {
  const { items, counts } = useLoopItems(taskId, path, { isLive: false, onlyProblems: true });
  const item = items.find(({ status }) => status === "failed");
  const step = item?.steps.find(({ status }) => status === "failed");
  if (item === undefined || step === undefined) return null;
  const failed = counts.failed ?? 1;
  return (
    <div className="notice small row wrap" role="note">
      <span className="grow">
        {failed > 1 && `${failed} items failed. `}Item {item.index + 1} failed at{" "}
        <b>{titleAt(graph, step.stepId)}</b>.
      </span>
      <button type="button" className="btn tiny" onClick={() => onSelect(step.stepId)}>
        Show failed step
      </button>
    </div>
  );
}
