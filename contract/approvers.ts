import * as z from "zod";
import { includesRole, type Role, ROLES } from "./roles.ts";

/** The least role that may decide approvals. */
export const APPROVING_ROLE = "operator";
const ROLE_PREFIX = "role:";
const MAX_APPROVERS = 100;

/** A member of a workspace. */
export interface Member {
  id: string;
  name: string | null;
  email: string;
  role: Role;
}

/** Who may decide: email addresses of members and `role:admin`, for that role or a higher one. Null for every member who may approve. */
export type Approvers = readonly string[] | null;

interface OpenApproval {
  approvers: Approvers;
  requiredApprovals: number;
  decisions: readonly { decision: string; person: { id: string } | null }[];
}

/** Only known members decide it: a list names them, or several must approve and each counts once. */
export function isNamed({
  approvers,
  requiredApprovals,
}: {
  approvers: Approvers;
  requiredApprovals: number;
}): boolean {
  return approvers !== null || requiredApprovals > 1;
}

const LISTED = /[,;]/;
const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** The entries of a field whose placeholders are filled in: lower case, each once. Undefined for a value that is neither text nor a list of text. */
export function approverEntries(value: unknown): string[] | undefined {
  const list = Array.isArray(value) ? value : [value];
  if (!list.every((each) => typeof each === "string")) return undefined;
  const entries = list.flatMap((each) => each.split(LISTED)).map((each) => each.trim().toLowerCase());
  return [...new Set(entries.filter((entry) => entry !== ""))];
}

/** An email address, or `role:` and the name of a role that may approve. */
export function isApproverEntry(entry: string): boolean {
  const role = roleOf(entry);
  return role === undefined ? EMAIL.test(entry) : isRole(role) && includesRole(role, APPROVING_ROLE);
}

export function mayApprove(approvers: Approvers, { email, role }: Pick<Member, "email" | "role">): boolean {
  if (!includesRole(role, APPROVING_ROLE)) return false;
  if (approvers === null) return true;
  return approvers.some((entry) => {
    const least = roleOf(entry);
    return least === undefined ? entry === email.toLowerCase() : isRole(least) && includesRole(role, least);
  });
}

/**
 * Whether this member may decide an open approval. Admins may while fewer approvers are left than approvals are missing:
 * someone was removed or lost the role, and the run would wait forever.
 */
export function mayDecide(
  { approvers, requiredApprovals, decisions }: OpenApproval,
  members: readonly Member[],
  member: Member,
): boolean {
  if (mayApprove(approvers, member)) return true;
  return (
    includesRole(member.role, "admin") && isBlocked({ approvers, requiredApprovals, decisions }, members)
  );
}

/** Fewer approvers are left than approvals are missing. */
export function isBlocked(
  { approvers, requiredApprovals, decisions }: OpenApproval,
  members: readonly Member[],
): boolean {
  const decided = new Set(decisions.map(({ person }) => person?.id));
  const left = members.filter((each) => mayApprove(approvers, each) && !decided.has(each.id));
  const approvals = decisions.filter(({ decision }) => decision === "approve");
  return left.length < requiredApprovals - approvals.length;
}

/** The entries that match this member: what `approvers` of an approval for them contains. */
export function entriesFor({ email, role }: Pick<Member, "email" | "role">): string[] {
  return [
    email.toLowerCase(),
    ...ROLES.filter((least) => includesRole(role, least)).map((least) => `${ROLE_PREFIX}${least}`),
  ];
}

/** The field of the step. Entries with a placeholder are checked when the approval opens. */
export function approversField(description: string) {
  const error = `must be email addresses of members or ${ROLE_PREFIX}<role>, at most ${MAX_APPROVERS}; leave it out to let every member who may approve decide`;
  const isValid = (value: unknown): boolean => {
    const entries = approverEntries(value);
    if (entries === undefined || entries.length === 0 || entries.length > MAX_APPROVERS) return false;
    const texts = [value].flat() as string[];
    return texts.every((text) => text.includes("{{") || approverEntries(text)!.every(isApproverEntry));
  };
  return z
    .union([z.string(), z.array(z.string())], { error })
    .refine(isValid, { error })
    .describe(description);
}

/** How many people a list allows at most; undefined while a role or a placeholder decides. */
export function knownApprovers(value: unknown): number | undefined {
  const entries = value === undefined ? undefined : approverEntries(value);
  if (entries === undefined || entries.some((entry) => entry.includes("{{") || roleOf(entry) !== undefined))
    return undefined;
  return entries.length;
}

function roleOf(entry: string): string | undefined {
  return entry.startsWith(ROLE_PREFIX) ? entry.slice(ROLE_PREFIX.length) : undefined;
}

function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text);
}
