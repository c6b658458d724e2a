import { Link2 } from "lucide-react";
import { useState } from "react";
import { type Approval, linkApproval } from "../../api/approvals.ts";
import { useTaskMutation } from "../../api/tasks.ts";
import { copyText } from "../../ui/clipboard.ts";
import { Failure } from "../../ui/states.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { isNamed } from "../../../contract/approvers.ts";
import { EmailNotice } from "./email-notice.tsx";
import { ApprovalProgress, WhyNoDecision } from "./decisions.tsx";
import { DecisionButtons } from "./decision-buttons.tsx";
import { Question } from "./question.tsx";
import { useDecision } from "./use-decision.ts";

/** Approve or reject, with a comment that is stored with the run. The decision is final. */
export function DecisionBox({ approval }: { approval: Approval }) {
  const { taskId, stepId, notice, canDecide } = approval;
  const isPersonal = isNamed(approval);
  const [comment, setComment] = useState("");
  const { decide, error, isDecided } = useDecision(approval);
  const link = useTaskMutation(async () => copyText(await linkApproval({ taskId, stepId })));
  return (
    <div className="card pad stack decision">
      <Question {...approval} title={canDecide ? "Waiting for your decision" : "Waiting for a decision"} />
      <ApprovalProgress approval={approval} />
      {notice !== undefined && <EmailNotice taskId={taskId} stepId={stepId} notice={notice} />}
      {error !== null && <Failure error={error} />}
      {link.error !== null && <Failure error={link.error} />}
      {!canDecide && <WhyNoDecision approval={approval} />}
      {canDecide && (
        <DecisionButtons
          comment={comment}
          onComment={setComment}
          busy={isDecided}
          onDecide={(decision) => decide(decision, comment)}
          aside={
            <button
              type="button"
              className="btn ghost"
              title={
                isPersonal
                  ? "Decides in your name, once, without a login. Share it with no one"
                  : "Anyone who has the link can decide, once, without a login"
              }
              onClick={() =>
                link.mutate(undefined, {
                  onSuccess: () =>
                    showToast(
                      isPersonal
                        ? "Link copied. It decides in your name, once."
                        : "Link copied. Anyone who has it can decide, once.",
                    ),
                })
              }
            >
              <Link2 size={14} /> {isPersonal ? "Copy my link" : "Copy link"}
            </button>
          }
        />
      )}
    </div>
  );
}
