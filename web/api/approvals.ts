import type * as z from "zod";
import type { resumeSchema } from "../../contract/tasks.ts";
import { request } from "./client.ts";
import { usePages } from "./pages.ts";

const POLL_MS = 10_000;

/** Open approvals, of one task or of all. */
export function useApprovals(taskId?: string) {
  return usePages({ noun: "approvals", path: "/api/approvals", filter: { taskId } }, { pollMs: POLL_MS });
}

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
