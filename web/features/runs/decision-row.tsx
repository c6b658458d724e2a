import { Check } from "lucide-react";
import { useState } from "react";
import type { Approval } from "../../api/approvals.ts";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { Failure } from "../../ui/states.tsx";
import { ApprovalProgress, WhyNoDecision } from "../approvals/decisions.tsx";
import { EmailNotice } from "../approvals/email-notice.tsx";
import { Question } from "../approvals/question.tsx";
import { useDecision } from "../approvals/use-decision.ts";

/** A run that waits below the fold would look as if it hung. */
function showOnce(row: HTMLElement | null): void {
  row?.scrollIntoView({ block: "nearest" });
}

/** An open approval below the row of its step. A approves and R rejects, each after Enter. */
export function DecisionRow({ approval }: { approval: Approval }) {
  const { taskId, stepId, notice, canDecide } = approval;
  const title = canDecide ? "Waiting for your decision" : "Waiting for a decision";
  const [comment, setComment] = useState("");
  const { decide, error, isDecided } = useDecision(approval);
  return (
    <div ref={showOnce} className="tl-decision" role="group" aria-label={title}>
      <div className="tl-question">
        <Question {...approval} title={title} />
        <ApprovalProgress approval={approval} />
        {notice !== undefined && <EmailNotice taskId={taskId} stepId={stepId} notice={notice} />}
        {!canDecide && <WhyNoDecision approval={approval} />}
        {error !== null && <Failure error={error} />}
      </div>
      {canDecide && (
        <div className="tl-answer">
          <input
            className="in"
            aria-label="Comment"
            placeholder="Add a comment"
            value={comment}
            onChange={(event) => setComment(event.target.value)}
          />
          <ConfirmButton
            className="btn danger"
            question="Reject this request?"
            consequence="The run ends as rejected, unless the workflow handles the rejection. The decision is final."
            confirm="Reject"
            disabled={isDecided}
            onConfirm={() => decide("reject", comment)}
          >
            Reject
          </ConfirmButton>
          <button
            type="button"
            className="btn go"
            disabled={isDecided}
            onClick={() => void decide("approve", comment).catch(() => undefined)}
          >
            <Check size={14} /> Approve
          </button>
        </div>
      )}
    </div>
  );
}
