import type { DecisionVia, OnTimeout } from "../../contract/approvals.ts";
import type { Approvers, Member } from "../../contract/approvers.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";

export interface OpenApproval {
  path: string;
  message: string;
  /** JSON of the data shown with the question; null when there is none. */
  context: string | null;
  dueAt: number | null;
  /** What the due time decides; absent without one. */
  onTimeout?: OnTimeout;
  /** Who may decide; by default every member who may approve. */
  approvers?: Approvers;
  /** By default 1. */
  requiredApprovals?: number;
}

/** The link to an open approval, and the state of the email that carries it. */
export interface ApprovalNotice {
  linkId: string;
  attempts: number;
  /** How often the email was sent again after it was sent. */
  round: number;
  /** When the next attempt is due; null before the first and after the last. */
  retryAt: number | null;
  sentAt: number | null;
  error: string | null;
}

/** An approval that a task waits for, directly or through a sub-workflow. */
export interface PendingDecision {
  taskId: string;
  path: string;
}

export interface ApprovalDecision {
  decision: "approve" | "reject" | "timeout";
  comment: string | null;
  data: JsonValue;
  decidedBy: string;
  decidedAt: number;
  /** How it arrived; kept in the record of decisions. */
  via?: DecisionVia;
  /** The member who decided, where one is known. The same member counts once. */
  person?: Person | undefined;
}

/** As they were named when they decided. */
export type Person = Pick<Member, "id" | "name" | "email">;

/** One decision in the record of a task. */
export interface DecisionRecord {
  id: string;
  path: string;
  decision: "approve" | "reject";
  comment: string | null;
  data: JsonValue;
  decidedBy: string;
  /** Null for a decision by a link without a name, a key or another agent. */
  person: Person | null;
  via: DecisionVia;
  /** Who was shown the personal link that decided; null for a link that was sent by email, and without a link. */
  linkCreatedBy: string | null;
  at: number;
}

/** An approval until its step has ended, with the decisions made so far. */
export interface ApprovalState {
  ownerId: string;
  approvers: Approvers;
  requiredApprovals: number;
  decisions: DecisionRecord[];
}

/** Open approvals, the decisions made on them and the links that lead to them. */
export interface ApprovalStore {
  /**
   * Records the decision. A rejection, a timeout and the last of the required approvals end the wait. False when no approval is
   * open at this path, not the one of this link, or the same person has decided.
   */
  decide(taskId: string, path: string, decision: ApprovalDecision, linkId?: string): Promise<boolean>;
  decision(taskId: string, path: string): Promise<ApprovalDecision | undefined>;
  approval(taskId: string, path: string): Promise<ApprovalState | undefined>;
  /** The decisions of a task, newest first, also of approvals that a rerun has opened again. `before` is the id of a decision. */
  decisions(taskId: string, limit: number, before?: string): Promise<DecisionRecord[]>;
  /** Approvals of the task and of the sub-workflows it waits for; its own first, then the oldest. */
  openApprovals(taskId: string): Promise<PendingDecision[]>;
  /** Gives an open approval a link unless it has one; undefined when none is open at this path. */
  linkApproval(
    taskId: string,
    path: string,
    newLinkId: string,
  ): Promise<(ApprovalNotice & { expiresAt: number | null }) | undefined>;
  /** As `linkApproval`, for one person. Each creator gets their own link; null for the link that is sent by email. */
  linkApprover(
    taskId: string,
    path: string,
    link: { linkId: string; email: string; createdBy: string | null },
  ): Promise<(ApprovalNotice & { expiresAt: number | null }) | undefined>;
  recordNotice(taskId: string, path: string, notice: Omit<ApprovalNotice, "round">): Promise<void>;
  /**
   * The emails of an open approval are to be sent again, except to people who have decided: the task is woken for it. False
   * when none was tried.
   */
  requestNotices(taskId: string, path: string, now: number): Promise<boolean>;
  /** The same for emails that were sent and never renewed, by the run that sends them. */
  renewSentNotices(taskId: string, path: string): Promise<void>;
}
