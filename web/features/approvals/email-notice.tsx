import { Send } from "lucide-react";
import { type Approval, resendApprovalEmails } from "../../api/approvals.ts";
import { useTaskMutation } from "../../api/tasks.ts";
import { Ago } from "../../ui/ago.tsx";
import { Allowed } from "../../ui/allowed.tsx";
import { Failure } from "../../ui/states.tsx";

interface EmailNoticeProps extends Pick<Approval, "taskId" | "stepId"> {
  notice: NonNullable<Approval["notice"]>;
}

/** Whether the email with the link was sent, and the button that sends it again. */
export function EmailNotice({ taskId, stepId, notice: { sentAt, error } }: EmailNoticeProps) {
  const resend = useTaskMutation(() => resendApprovalEmails({ taskId, stepId }));
  const isSending = resend.isPending || (sentAt === null && error === null);
  return (
    <>
      <div className={`row wrap small ${error === null ? "muted" : "notice wait"}`} role="status">
        <span className="grow">
          {error !== null ? (
            `The email with the link could not be sent: ${error}`
          ) : sentAt === null ? (
            "The email with the link is being sent."
          ) : (
            <>
              The email with the link was sent <Ago at={sentAt} />.
            </>
          )}
        </span>
        <Allowed to="resendApprovalEmails">
          <button
            type="button"
            className="btn tiny"
            disabled={isSending}
            onClick={() => resend.mutate(undefined)}
          >
            <Send size={13} /> {sentAt === null ? "Send again" : "Send a reminder"}
          </button>
        </Allowed>
      </div>
      {resend.error !== null && <Failure error={resend.error} />}
    </>
  );
}
