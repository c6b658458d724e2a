import {
  approverEntries,
  type Approvers,
  isApproverEntry,
  mayApprove,
  type Member,
} from "../../../../contract/approvers.ts";
import { AppError } from "../../../lib/errors.ts";
import type { ControlCall } from "../run.ts";

const MAX_REQUIRED = 100;

export interface ApproverRule {
  approvers: Approvers;
  requiredApprovals: number;
}

/** Undefined for a step that anyone may decide once, as every step was before approvers existed. */
export function approverRuleOf({ fields }: Pick<ControlCall, "fields">): ApproverRule | undefined {
  const { approvers, requiredApprovals: required = 1 } = fields;
  if (approvers === undefined && required === 1) return undefined;
  if (typeof required !== "number" || !Number.isInteger(required) || required < 1 || required > MAX_REQUIRED)
    throw invalid(`requiredApprovals must be a whole number from 1 to ${MAX_REQUIRED}.`);
  if (approvers === undefined) return { approvers: null, requiredApprovals: required };
  const entries = approverEntries(approvers);
  // An empty placeholder must not open the approval to everyone.
  if (entries === undefined || entries.length === 0)
    throw invalid("approvers is empty. Name at least one member or role, or remove the field.");
  const wrong = entries.find((entry) => !isApproverEntry(entry));
  if (wrong !== undefined)
    throw invalid(`approvers: ${wrong} is neither an email address nor a role that may approve.`);
  return { approvers: entries, requiredApprovals: required };
}

/** The members who may decide now. */
export async function listApprovers({ run }: ControlCall, { approvers }: ApproverRule): Promise<Member[]> {
  return (await run.deps.listMembers(run.task.ownerId)).filter((member) => mayApprove(approvers, member));
}

/** Throws when a name is unknown or too few can ever approve: the run would wait forever. */
export async function requireApprovers(call: ControlCall, rule: ApproverRule): Promise<void> {
  const people = await listApprovers(call, rule);
  const unknown = rule.approvers?.find(
    (entry) => entry.includes("@") && !people.some((member) => mayApprove([entry], member)),
  );
  if (unknown !== undefined)
    throw invalid(`approvers: ${unknown} is not a member of this workspace who may approve.`);
  if (people.length < rule.requiredApprovals)
    throw invalid(
      `${rule.requiredApprovals} approvals are required. Members who may approve: ${people.length}.`,
    );
}

function invalid(message: string): AppError {
  return new AppError("invalid_field", message);
}
