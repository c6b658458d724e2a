import * as z from "zod";
import { pageQuerySchema, success } from "../../contract/api.ts";
import {
  memberListResponseSchema,
  memberResponseSchema,
  updateMemberSchema,
} from "../../contract/workspaces.ts";
import type { HttpServer } from "../http/server.ts";
import type { Members } from "./members.ts";
import { toMember } from "./workspace-view.ts";

const tags = ["workspaces"];
const params = z.object({ id: z.string() });
const memberParams = z.object({ id: z.string(), userId: z.string() });

export function memberRoutes(app: HttpServer, members: Members): void {
  app.get(
    "/api/workspaces/:id/members",
    {
      config: { access: { role: "viewer", scope: "workspace:read", workspace: "path" } },
      schema: {
        tags,
        operationId: "listMembers",
        summary: "List the members of a workspace",
        description:
          "With their roles, in the order in which their accounts were made. Service accounts are listed apart.",
        params,
        querystring: pageQuerySchema,
        response: { 200: memberListResponseSchema },
      },
    },
    async ({ workspaceId, query }) => {
      const { items, nextCursor } = await members.list(workspaceId, query);
      const serviceAccounts =
        query.cursor === undefined ? await members.listServiceAccounts(workspaceId) : [];
      return { ok: true as const, members: items.map(toMember), serviceAccounts, nextCursor };
    },
  );

  app.patch(
    "/api/workspaces/:id/members/:userId",
    {
      config: { access: { role: "admin", scope: null, workspace: "path" } },
      schema: {
        tags,
        operationId: "updateMember",
        summary: "Change the role of a member",
        description:
          "Only an owner makes owners and changes them; to transfer a workspace, make another member an owner. Open connections of the member end at once.",
        errors: ["last_owner"],
        params: memberParams,
        body: updateMemberSchema,
        response: { 200: memberResponseSchema },
      },
    },
    async ({ workspaceId, role, params: { userId }, body }) => ({
      ok: true as const,
      member: toMember(await members.setRole(workspaceId, role, userId, body.role)),
    }),
  );

  app.delete(
    "/api/workspaces/:id/members/:userId",
    {
      config: { access: { role: "admin", scope: "workspace:write", workspace: "path" } },
      schema: {
        tags,
        operationId: "removeMember",
        summary: "Remove a member from a workspace",
        description:
          "Access ends at once, also that of the API keys that the member created here and of the apps that the member connected. Records stay.",
        errors: ["last_owner"],
        params: memberParams,
        response: { 200: success({}) },
      },
    },
    async ({ workspaceId, role, params: { userId } }) => {
      await members.remove(workspaceId, role, userId);
      return { ok: true as const };
    },
  );

  app.post(
    "/api/workspaces/:id/leave",
    {
      config: { access: { role: "viewer", scope: null, workspace: "path" } },
      schema: {
        tags,
        operationId: "leaveWorkspace",
        summary: "Leave a workspace",
        description:
          "The last owner cannot leave: make another member an owner first, or delete the workspace.",
        errors: ["last_owner", "personal_workspace"],
        params,
        response: { 200: success({}) },
      },
    },
    async ({ workspaceId, userId }) => {
      await members.leave(workspaceId, userId);
      return { ok: true as const };
    },
  );
}
