import * as z from "zod";
import {
  createApprovalLinkSchema,
  createdApprovalLinkSchema,
  decideByLinkSchema,
  decidedByLinkSchema,
  linkedApprovalSchema,
} from "../../contract/approvals.ts";
import { limitRate } from "../http/rate-limit.ts";
import type { HttpServer } from "../http/server.ts";
import { toIso } from "../lib/clock.ts";
import type { RateLimiter } from "../lib/rate-limiter.ts";
import { clientNetwork } from "../security/address-classes.ts";
import type { ApprovalLinks } from "./approval-links.ts";
import type { ApprovalUrls } from "./approval-urls.ts";
import type { Tasks } from "./tasks.ts";

const tags = ["tasks"];
const params = z.object({ token: z.string() });

export interface ApprovalLinkRoutesDeps {
  tasks: Pick<Tasks, "linkApproval">;
  links: ApprovalLinks;
  urlOf: ApprovalUrls["urlOf"];
  publicUrl: string | undefined;
  limiter: RateLimiter;
}

/** Only POST decides: mail scanners, link previews and prefetching follow links with GET and HEAD. */
export function approvalLinkRoutes(
  app: HttpServer,
  { tasks, links, urlOf, publicUrl, limiter }: ApprovalLinkRoutesDeps,
): void {
  const route = {
    config: { auth: "public" as const, audit: { none: "recorded for the workspace of the link" } },
    onRequest: limitRate(limiter, (request) => clientNetwork(request.ip)),
  };

  app.post(
    "/api/tasks/:id/approvals/:stepId/link",
    {
      config: { access: { role: "operator", scope: "runs:write" } },
      schema: {
        tags,
        operationId: "createApprovalLink",
        summary: "Create the link that decides a pending approval without a login",
        errors: ["task_not_waiting"],
        description:
          "The link decides once and ends with the approval. A second call returns the same link. For a step with `approvers` or several required approvals the link is personal and decides in the name of `approver`: your own, or as an admin that of another approver; the record names who created it.",
        params: z.object({ id: z.string(), stepId: z.string() }),
        body: createApprovalLinkSchema,
        response: { 200: createdApprovalLinkSchema },
      },
    },
    async (request, reply) => {
      const { id, stepId } = request.params;
      const { workspaceId, userId, role, body } = request;
      const { linkId, expiresAt } = await tasks.linkApproval(
        workspaceId,
        { userId, role },
        id,
        stepId,
        body?.approver,
      );
      void reply.header("cache-control", "no-store");
      const url = urlOf(linkId, publicUrl ?? `${request.protocol}://${request.host}`);
      return { ok: true as const, url, expiresAt: expiresAt === null ? null : toIso(expiresAt) };
    },
  );

  app.get(
    "/api/approval-links/:token",
    {
      ...route,
      schema: {
        tags,
        security: [],
        operationId: "getApprovalByLink",
        summary: "Read the approval of a link",
        errors: [
          "task_not_waiting",
          "already_decided",
          "forbidden",
          "approval_link_not_found",
          "rate_limited",
        ],
        description:
          "Needs no login. 404 `approval_link_not_found` for a link that this service did not create, 409 `task_not_waiting` once the approval is decided or over.",
        params,
        response: { 200: linkedApprovalSchema },
      },
    },
    async (request, reply) => {
      const { message, context, requestedAt, dueAt, onTimeout, workflowName, approval, member } =
        await links.open(request.params.token);
      void reply.header("cache-control", "no-store");
      return {
        ok: true as const,
        approval: {
          workflowName,
          message,
          ...(context !== null && { context: JSON.parse(context) as unknown }),
          requestedAt: toIso(requestedAt),
          dueAt: dueAt === null ? null : toIso(dueAt),
          ...(onTimeout !== null && { onTimeout }),
          ...(member !== undefined && { approver: { name: member.name, email: member.email } }),
          requiredApprovals: approval.requiredApprovals,
          approvals: approval.decisions.filter(({ decision }) => decision === "approve").length,
        },
      };
    },
  );

  app.post(
    "/api/approval-links/:token",
    {
      ...route,
      schema: {
        tags,
        security: [],
        operationId: "decideApprovalByLink",
        summary: "Approve or reject with a link",
        errors: [
          "approval_link_not_found",
          "task_not_waiting",
          "already_decided",
          "forbidden",
          "rate_limited",
        ],
        description:
          "Needs no login. A link decides once; a second call gets a 409. A personal link decides in the name of its approver, who must still be one.",
        params,
        body: decideByLinkSchema,
        response: { 200: decidedByLinkSchema },
      },
    },
    async (request, reply) => {
      const decision = await links.decide(request.params.token, request.body, request.recordAction);
      void reply.header("cache-control", "no-store");
      return { ok: true as const, decision };
    },
  );
}
