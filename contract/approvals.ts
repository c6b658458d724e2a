import * as z from "zod";
import { nextCursorSchema, success, text, timeSchema } from "./api.ts";

const question = {
  message: z.string(),
  context: z.unknown().optional().describe("The data shown with the question; absent when there is none"),
  requestedAt: timeSchema,
  dueAt: timeSchema.nullable().optional().describe("When the time limit decides; null without one"),
};

/** A step that waits for the decision of a person. */
const approvalSchema = z
  .object({
    taskId: z.string(),
    workflowId: z.string(),
    stepId: z.string(),
    ...question,
    notice: z
      .object({ sentAt: timeSchema.nullable(), error: z.string().nullable() })
      .optional()
      .describe("The email with the link; absent when none was tried"),
  })
  .meta({ id: "Approval" });
export type Approval = z.infer<typeof approvalSchema>;
export const approvalListResponseSchema = success({
  approvals: z.array(approvalSchema),
  nextCursor: nextCursorSchema,
});

export const createdApprovalLinkSchema = success({
  url: z.string().describe("Decides without a login, once. Anyone who has it can decide"),
  expiresAt: timeSchema.nullable().describe("The due time of the approval; null without one"),
});

export const linkedApprovalSchema = success({
  approval: z.object({ workflowName: z.string(), ...question }),
});
export const decideByLinkSchema = z.object({
  approved: z.boolean(),
  comment: text(10_000).optional(),
});
export const decidedByLinkSchema = success({ decision: z.enum(["approve", "reject"]) });
