import { Check, X } from "lucide-react";
import type { Decision } from "../../../contract/approvals.ts";
import { ROLES } from "../../../contract/role-order.ts";
import { isNamed } from "../../../contract/approvers.ts";
import type { Approval } from "../../api/approvals.ts";
import { useMe } from "../../api/accounts.ts";
import { Ago } from "../../ui/ago.tsx";
import "./approvals.css";

const ROLE_PREFIX = "role:";

/** How far an approval is, who may decide it and who has. Nothing for one that anyone may decide. */
export function ApprovalProgress({ approval }: { approval: Approval }) {
  const { approvers, requiredApprovals, decisions } = approval;
  if (!isNamed(approval)) return null;
  return (
    <div className="stack tight approval-progress">
      <p className="small">
        <b>
          {decisions.length} of {requiredApprovals} {requiredApprovals === 1 ? "approval" : "approvals"}
        </b>{" "}
        <span className="muted">
          {approvers === null ? "Every member who may approve can decide" : `From ${namesOf(approvers)}`}
        </span>
      </p>
      <DecisionList decisions={decisions} />
    </div>
  );
}

function DecisionList({ decisions }: { decisions: readonly Decision[] }) {
  if (decisions.length === 0) return null;
  return (
    <ul className="decision-list small" aria-label="Decisions">
      {decisions.map(({ by, decision, comment, at }) => (
        <li key={by.id}>
          {decision === "approve" ? (
            <Check size={13} className="ok-ink" aria-hidden />
          ) : (
            <X size={13} className="bad-ink" aria-hidden />
          )}
          <span>
            {nameOf(by)} {decision === "approve" ? "approved" : "rejected"} <Ago at={at} />
            {comment !== null && <span className="muted">: {comment}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** In place of the buttons, for a person who cannot decide. */
export function WhyNoDecision({ approval: { approvers, decisions } }: { approval: Approval }) {
  const me = useMe().data;
  const hasDecided = decisions.some(({ by }) => by.id === me?.id);
  return (
    <p className="notice small" role="note">
      {hasDecided
        ? "You have approved. The run waits for another approver."
        : approvers === null
          ? "Your role in this workspace does not allow you to decide. An operator can."
          : `You are not an approver of this step. It waits for ${namesOf(approvers)}.`}
    </p>
  );
}

export function nameOf({ id, name, email }: Decision["by"]): string {
  if (id === "link") return "Someone with the link";
  return name ?? email ?? id;
}

/** "admins and owners" */
function rolesFrom(least: string): string {
  const roles = ROLES.slice((ROLES as readonly string[]).indexOf(least));
  return new Intl.ListFormat("en").format(roles.map((role) => `${role}s`));
}

function namesOf(approvers: readonly string[]): string {
  return approvers
    .map((entry) =>
      // "role:admin" means that role or a higher one.
      entry.startsWith(ROLE_PREFIX) ? rolesFrom(entry.slice(ROLE_PREFIX.length)) : entry,
    )
    .join(", ");
}
