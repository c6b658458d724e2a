import { type Approval, decideApproval, type Decision } from "../../api/approvals.ts";
import { useTaskMutation } from "../../api/tasks.ts";
import { showToast } from "../../ui/toasts.tsx";

/** Decides an approval, once. */
export function useDecision({ taskId, stepId }: Pick<Approval, "taskId" | "stepId">) {
  const action = useTaskMutation(decideApproval, showToast);
  return {
    decide: (decision: Decision, comment = "") =>
      action.mutateAsync({ taskId, stepId, decision, ...(comment === "" ? {} : { comment }) }),
    error: action.error,
    /** Also while the list, which still has the approval, is read again. */
    isDecided: action.isPending || action.isSuccess,
  };
}
