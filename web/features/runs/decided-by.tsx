import { useTaskDecisions } from "../../api/approvals.ts";
import { nameOf } from "../approvals/decisions.tsx";

/** Who decided an approval, in its row. Nothing when its time limit did. */
export function DecidedBy({ taskId, path }: { taskId: string; path: string }) {
  const decisions = (useTaskDecisions(taskId).data ?? []).filter(({ stepId }) => stepId === path);
  const [last] = decisions;
  if (last === undefined) return null;
  const deciding = last.decision === "reject" ? [last] : decisions.toReversed();
  const people = new Set(deciding.map(({ by }) => nameOf(by)));
  return (
    <span>
      {last.decision === "reject" ? "Rejected" : "Approved"} by {[...people].join(", ")}
      {last.comment !== null && ` · ${last.comment}`}
    </span>
  );
}
