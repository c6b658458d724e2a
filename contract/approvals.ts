import * as z from "zod";
import { roleSchema } from "./roles.ts";
import { nextCursorSchema, success, text, timeSchema } from "./api.ts";

const onTimeoutSchema = z.enum(["approve", "reject", "fail"]);
export type OnTimeout = z.infer<typeof onTimeoutSchema>;

const question = {
  message: z.string(),
  context: z.unknown().optional().describe("The data shown with the question; absent when there is none"),
  requestedAt: timeSchema,
  dueAt: timeSchema.nullable().optional().describe("When the time limit decides; null without one"),
  onTimeout: onTimeoutSchema
    .optional()
    .describe(
      "What the time limit decides; absent without one, and in approvals that an earlier version opened",
    ),
};

/** How a decision arrived. */
const decisionViaSchema = z.enum(["page", "link", "mcp", "a2a", "api_key"]);
export type DecisionVia = z.infer<typeof decisionViaSchema>;

const personSchema = z.object({
  id: z
    .string()
    .describe("The id of the member, or the text in `decidedBy` of a decision without a known person"),
  name: z.string().nullable(),
  email: z.string().nullable(),
});

const decision = {
  by: personSchema.describe("As they were named when they decided"),
  decision: z.enum(["approve", "reject"]),
  comment: z.string().nullable(),
  via: decisionViaSchema.describe("How the decision arrived"),
  at: timeSchema,
  data: z.unknown().optional().describe("Absent when none was given"),
};
const decisionSchema = z.object(decision).meta({ id: "Decision" });
export type Decision = z.infer<typeof decisionSchema>;

const taskDecisionSchema = z
  .object({
    id: z.string(),
    stepId: z.string().describe("The step path, such as each[3]/ask"),
    ...decision,
    linkCreatedBy: z
      .string()
      .optional()
      .describe("The id of the member who was shown the personal link; absent when it was sent by email"),
  })
  .meta({ id: "TaskDecision" });
export const decisionListResponseSchema = success({
  decisions: z.array(taskDecisionSchema),
  nextCursor: nextCursorSchema,
});

export const approverListResponseSchema = success({
  approvers: z.array(
    z.object({ id: z.string(), name: z.string().nullable(), email: z.string(), role: roleSchema }),
  ),
});

/** A step that waits for the decision of a person. */
const approvalSchema = z
  .object({
    taskId: z.string(),
    workflowId: z.string(),
    stepId: z.string(),
    ...question,
    approvers: z
      .array(z.string())
      .nullable()
      .describe(
        "Addresses of members and roles such as role:admin; null when every member who may approve decides",
      ),
    requiredApprovals: z.int(),
    decisions: z.array(decisionSchema).describe("The approvals so far, oldest first"),
    canDecide: z.boolean().describe("Whether you may decide: you are an approver and have not decided"),
    notice: z
      .object({ sentAt: timeSchema.nullable(), error: z.string().nullable() })
      .optional()
      .describe("The email with the link; absent when none was tried, both null while it is sent again"),
  })
  .meta({ id: "Approval" });
export type Approval = z.infer<typeof approvalSchema>;
export const approvalListResponseSchema = success({
  approvals: z.array(approvalSchema),
  nextCursor: nextCursorSchema,
});

export const createApprovalLinkSchema = z
  .object({
    approver: text(320)
      .optional()
      .describe(
        "The address of the approver whose link it is, by default yours; only for a step with approvers",
      ),
  })
  .nullish();
export const createdApprovalLinkSchema = success({
  url: z
    .string()
    .describe(
      "Decides without a login, once. Anyone who has it can decide; with approvers, in the name of the one it was created for",
    ),
  expiresAt: timeSchema.nullable().describe("The due time of the approval; null without one"),
});

export const linkedApprovalSchema = success({
  approval: z.object({
    workflowName: z.string(),
    ...question,
    approver: personSchema.omit({ id: true }).optional().describe("In whose name the link decides"),
    requiredApprovals: z.int(),
    approvals: z.int().describe("How many have approved so far"),
  }),
});
export const decideByLinkSchema = z.object({
  approved: z.boolean(),
  comment: text(10_000).optional(),
});
export const decidedByLinkSchema = success({ decision: z.enum(["approve", "reject"]) });
