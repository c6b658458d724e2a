import { Check, X } from "lucide-react";
import { useState } from "react";
import { decideApproval, type Decision } from "../../api/approvals.ts";
import { useTaskMutation } from "../../api/tasks.ts";
import { TextField } from "../../ui/field.tsx";
import { Prose } from "../../ui/prose.tsx";
import { Failure } from "../../ui/states.tsx";
import { showToast } from "../../ui/toasts.tsx";

/** Approve or reject, with a comment that is stored with the run. The decision is final. */
export function DecisionBox({
  taskId,
  stepId,
  message,
}: {
  taskId: string;
  stepId: string;
  message: string;
}) {
  const [comment, setComment] = useState("");
  const action = useTaskMutation(decideApproval, (decision) =>
    showToast(decision === "approve" ? "Approved. The run continues." : "Rejected. The run has ended."),
  );
  const send = (decision: Decision): void =>
    action.mutate({ taskId, stepId, decision, ...(comment === "" ? {} : { comment }) });
  return (
    <div className="card pad stack decision">
      <div className="caps">Waiting for your decision</div>
      <Prose text={message} />
      <TextField
        label="Comment"
        value={comment}
        onChange={setComment}
        rows={2}
        hint="Optional. Stored with the run."
      />
      {action.error !== null && <Failure error={action.error} />}
      <div className="row">
        <button type="button" className="btn go" disabled={action.isPending} onClick={() => send("approve")}>
          <Check size={14} /> Approve
        </button>
        <button
          type="button"
          className="btn danger"
          disabled={action.isPending}
          onClick={() => send("reject")}
        >
          <X size={14} /> Reject
        </button>
      </div>
    </div>
  );
}
