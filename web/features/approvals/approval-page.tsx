import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useParams } from "wouter";
import { ApiError } from "../../api/api-error.ts";
import { decideByLink, type Decision, useLinkedApproval } from "../../api/approvals.ts";
import { Failure, Loaded } from "../../ui/states.tsx";
import { DecisionButtons } from "./decision-buttons.tsx";
import { Question } from "./question.tsx";
import "./approvals.css";

/** The page behind a link: a person without an account reads the question and decides it once. */
export function ApprovalPage() {
  const { token } = useParams<{ token: string }>();
  const approval = useLinkedApproval(token);
  const [comment, setComment] = useState("");
  const action = useMutation({
    mutationFn: (decision: Decision) =>
      decideByLink(token, { approved: decision === "approve", ...(comment === "" ? {} : { comment }) }),
  });
  const over = messageOver(action.error) ?? messageOver(approval.error);
  return (
    <main className="approval-page">
      <div className="card stack">
        <div className="brand">
          <i />
          Baton
        </div>
        {action.data !== undefined ? (
          <Ended
            title={action.data === "approve" ? "Approved" : "Rejected"}
            text="Your decision was recorded. You can close this page."
          />
        ) : over !== undefined ? (
          <Ended title={over.title} text={over.text} />
        ) : (
          <Loaded query={approval}>
            {({ workflowName, approver, requiredApprovals, approvals, ...question }) => (
              <>
                <h1 className="visually-hidden">Approval for {workflowName}</h1>
                <Question {...question} title={workflowName} />
                {approver !== undefined && (
                  <p className="small muted">
                    You decide as {approver.name ?? approver.email}.
                    {requiredApprovals > 1 && ` ${approvals} of ${requiredApprovals} approvals so far.`}
                  </p>
                )}
                {action.error !== null && <Failure error={action.error} />}
                <DecisionButtons
                  comment={comment}
                  onComment={setComment}
                  busy={action.isPending}
                  onDecide={action.mutateAsync}
                />
              </>
            )}
          </Loaded>
        )}
      </div>
    </main>
  );
}

function Ended({ title, text }: { title: string; text: string }) {
  return (
    <div className="stack tight" role="status">
      <h1>{title}</h1>
      <p className="muted">{text}</p>
    </div>
  );
}

function messageOver(error: Error | null): { title: string; text: string } | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (error.code === "already_decided")
    return {
      title: "Already decided",
      text: "You have decided this request. It waits for another approver.",
    };
  if (error.status === 403)
    return {
      title: "Not an approver",
      text: "You can no longer decide this request. Ask the person who sent it.",
    };
  if (error.status === 409)
    return {
      title: "Nothing to decide",
      text: "This request has been decided, has expired or is no longer needed.",
    };
  if (error.status === 404)
    return { title: "Unknown link", text: "Check that the whole link was copied, or ask for a new one." };
  return undefined;
}
