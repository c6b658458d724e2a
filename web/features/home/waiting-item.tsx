import { Link } from "wouter";
import type { Approval } from "../../api/approvals.ts";
import { useWorkflowName } from "../../api/workflows.ts";
import { Ago } from "../../ui/ago.tsx";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { Failure } from "../../ui/states.tsx";
import { until } from "../../ui/time.ts";
import { useDecision } from "../approvals/use-decision.ts";

export function WaitingItem({ approval }: { approval: Approval }) {
  const { taskId, workflowId, message, requestedAt, dueAt } = approval;
  const nameOf = useWorkflowName();
  const { decide, error, isDecided } = useDecision(approval);
  const title = message === "" ? "Approval" : message;
  return (
    <div className="home-item">
      <p className="home-title">{title}</p>
      <p className="small muted">
        {nameOf(workflowId)} · <Ago at={requestedAt} />
        {dueAt !== undefined && dueAt !== null && ` · due ${until(dueAt)}`}
      </p>
      {error !== null && <Failure error={error} />}
      <div className="row home-buttons">
        <button
          type="button"
          className="btn go"
          disabled={isDecided}
          aria-label={`Approve: ${title}`}
          onClick={() => void decide("approve").catch(() => undefined)}
        >
          Approve
        </button>
        <ConfirmButton
          className="btn danger"
          label={`Reject: ${title}`}
          question="Reject this approval?"
          consequence="The run ends as rejected. This cannot be undone."
          confirm="Reject"
          disabled={isDecided}
          onConfirm={() => decide("reject")}
        >
          Reject
        </ConfirmButton>
        <span className="grow" />
        <Link href={`/runs/${taskId}`} className="small">
          Open run
        </Link>
      </div>
    </div>
  );
}
