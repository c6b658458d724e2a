import type * as z from "zod";
import { useQuery } from "@tanstack/react-query";
import type { decideByLinkSchema } from "../../contract/approvals.ts";
import type { resumeSchema } from "../../contract/tasks.ts";
import { request } from "./client.ts";
import { usePages } from "./pages.ts";

const POLL_MS = 10_000;

export interface ApprovalQuery {
  taskId?: string;
  /** Only those that wait for the reader. */
  mine?: boolean;
  isPolled?: boolean;
}

/** Open approvals, of one task or of all. */
export function useApprovals({ taskId, mine = false, isPolled = true }: ApprovalQuery = {}) {
  const filter = { taskId, mine: mine ? "true" : undefined };
  const source = { noun: "approvals", path: "/api/approvals", filter } as const;
  return usePages(source, isPolled ? { pollMs: POLL_MS } : {});
}

/** Who decided the approvals of a task, newest first. */
export function useTaskDecisions(taskId: string) {
  return useQuery({
    queryKey: ["approvals", "decisions", taskId],
    queryFn: async () => (await request("decisions", `/api/tasks/${taskId}/decisions?limit=200`)).decisions,
  });
}

/** The members who may decide approvals. */
export function useApprovers() {
  return useQuery({
    queryKey: ["approvers"],
    queryFn: async () => (await request("approvers", "/api/approvers")).approvers,
  });
}

export type { Approval } from "../../contract/approvals.ts";
export type Decision = NonNullable<z.output<typeof resumeSchema>>["decision"];

export interface DecideApproval {
  taskId: string;
  stepId: string;
  decision: Decision;
  comment?: string;
}

/** Returns what to tell the person. */
export async function decideApproval({ taskId, ...body }: DecideApproval): Promise<string> {
  const resume: z.input<typeof resumeSchema> = body;
  const { status } = await request("resumedTask", `/api/tasks/${taskId}/resume`, { body: resume });
  if (body.decision === "reject") return "Rejected. The run has ended.";
  return status === "waiting_approval"
    ? "Approved. The run waits for another approver."
    : "Approved. The run continues.";
}

/** Sends the emails of an open approval again. */
export async function resendApprovalEmails({
  taskId,
  stepId,
}: Pick<DecideApproval, "taskId" | "stepId">): Promise<void> {
  const path = `/api/tasks/${taskId}/approvals/${encodeURIComponent(stepId)}/notify`;
  await request("ok", path, { method: "POST" });
}

/** The link that decides an approval without a login. */
export async function linkApproval({
  taskId,
  stepId,
}: Pick<DecideApproval, "taskId" | "stepId">): Promise<string> {
  const path = `/api/tasks/${taskId}/approvals/${encodeURIComponent(stepId)}/link`;
  return (await request("approvalLink", path, { method: "POST" })).url;
}

export function useLinkedApproval(token: string) {
  return useQuery({
    queryKey: ["linked-approval", token],
    queryFn: async () => (await request("linkedApproval", `/api/approval-links/${token}`)).approval,
    refetchOnWindowFocus: false,
  });
}

export async function decideByLink(
  token: string,
  body: z.input<typeof decideByLinkSchema>,
): Promise<Decision> {
  return (await request("decidedByLink", `/api/approval-links/${token}`, { body })).decision;
}
