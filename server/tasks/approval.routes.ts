import * as z from "zod";
import { emptyAsAbsent, pageQuery, pageQuerySchema, success } from "../../contract/api.ts";
import {
  approvalListResponseSchema,
  approverListResponseSchema,
  decisionListResponseSchema,
} from "../../contract/approvals.ts";
import { limitRate } from "../http/rate-limit.ts";
import type { HttpServer } from "../http/server.ts";
import type { RateLimiter } from "../lib/rate-limiter.ts";
import { viewApproval, viewTaskDecision } from "./approval-view.ts";
import type { Tasks } from "./tasks.ts";

const tags = ["tasks"];

export function approvalRoutes(
  app: HttpServer,
  tasks: Pick<Tasks, "listApprovals" | "listApprovers" | "listDecisions" | "resendApprovalEmails">,
  mailLimiter: RateLimiter,
): void {
  app.get(
    "/api/approvals",
    {
      config: { access: { role: "viewer", scope: "runs:read" } },
      schema: {
        tags,
        operationId: "listApprovals",
        summary: "List pending approvals, newest first",
        description:
          "Steps that wait for a decision, with the question, the data to decide on, the approvers and the decisions so far.",
        querystring: pageQuery(/^\d{1,15}:\S/, 500).extend({
          taskId: emptyAsAbsent(z.string()).describe("Only approvals of this task"),
          mine: emptyAsAbsent(z.enum(["true", "false"])).describe(
            "With true, only approvals that wait for your decision",
          ),
        }),
        response: { 200: approvalListResponseSchema },
      },
    },
    async ({ workspaceId, userId, role, query: { mine, ...filter } }) => {
      const viewer = { userId, role };
      const { items, nextCursor } = await tasks.listApprovals(
        workspaceId,
        { ...filter, mine: mine === "true" },
        viewer,
      );
      return { ok: true as const, approvals: items.map(viewApproval), nextCursor };
    },
  );

  app.get(
    "/api/approvers",
    {
      config: { access: { role: "viewer", scope: "runs:read" } },
      schema: {
        tags,
        operationId: "listApprovers",
        summary: "List the members who may decide approvals",
        description:
          "The members of the workspace with the role operator or higher: whom `approvers` of a step can name.",
        response: { 200: approverListResponseSchema },
      },
    },
    async ({ workspaceId }) => ({ ok: true as const, approvers: await tasks.listApprovers(workspaceId) }),
  );

  app.post(
    "/api/tasks/:id/approvals/:stepId/notify",
    {
      config: { access: { role: "operator", scope: "runs:write" } },
      schema: {
        tags,
        operationId: "resendApprovalEmails",
        summary: "Send the emails of a pending approval again",
        errors: ["task_not_waiting", "rate_limited"],
        description:
          "To the addresses in `notifyEmail` of the step, except to people who have decided. The links stay the same. `notice` of the approval shows the result.",
        params: z.object({ id: z.string(), stepId: z.string() }),
        response: { 200: success({}) },
      },
      preHandler: limitRate(mailLimiter, (request) => request.workspaceId),
    },
    async ({ workspaceId, params: { id, stepId } }) => {
      await tasks.resendApprovalEmails(workspaceId, id, stepId);
      return { ok: true as const };
    },
  );

  app.get(
    "/api/tasks/:id/decisions",
    {
      config: { access: { role: "viewer", scope: "runs:read" } },
      schema: {
        tags,
        operationId: "listTaskDecisions",
        summary: "List who decided the approvals of a task, newest first",
        description:
          "Every decision with its person, comment, time and way, also of approvals that a rerun opened again. Time limits are no decisions.",
        params: z.object({ id: z.string() }),
        querystring: pageQuerySchema,
        response: { 200: decisionListResponseSchema },
      },
    },
    async ({ workspaceId, params, query }) => {
      const { items, nextCursor } = await tasks.listDecisions(workspaceId, params.id, query);
      return { ok: true as const, decisions: items.map(viewTaskDecision), nextCursor };
    },
  );
}
