import type * as z from "zod";
import { useQuery } from "@tanstack/react-query";
import type { decideByLinkSchema } from "../../contract/approvals.ts";
import type { resumeSchema } from "../../contract/tasks.ts";
import { request } from "./client.ts";
import { usePages } from "./pages.ts";

const POLL_MS = 10_000;

/** Open approvals, of one task or of all. */
export function useApprovals(taskId?: string, isPolled = true) {
  const source = { noun: "approvals", path: "/api/approvals", filter: { taskId } } as const;
  return usePages(source, isPolled ? { pollMs: POLL_MS } : {});
}

export type { Approval } from "../../contract/approvals.ts";
export type Decision = NonNullable<z.output<typeof resumeSchema>>["decision"];

export interface DecideApproval {
  taskId: string;
  stepId: string;
  decision: Decision;
  comment?: string;
}

export async function decideApproval({ taskId, ...body }: DecideApproval): Promise<Decision> {
  const resume: z.input<typeof resumeSchema> = body;
  await request("resumedTask", `/api/tasks/${taskId}/resume`, { body: resume });
  return body.decision;
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
