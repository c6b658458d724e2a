import * as z from "zod";
import { success } from "../../contract/api.ts";
import {
  createWorkspaceSchema,
  updateWorkspaceSchema,
  workspaceListResponseSchema,
  workspaceResponseSchema,
} from "../../contract/workspaces.ts";
import type { HttpServer } from "../http/server.ts";
import { toWorkspace } from "./workspace-view.ts";
import type { Workspaces } from "./workspaces.ts";

const tags = ["workspaces"];
const params = z.object({ id: z.string() });

export function workspaceRoutes(app: HttpServer, workspaces: Workspaces): void {
  app.get(
    "/api/workspaces",
    {
      config: { access: "account" },
      schema: {
        tags,
        operationId: "listWorkspaces",
        summary: "List your workspaces",
        description: "With your role in each. Name one of them in the header `X-Workspace` to work in it.",
        response: { 200: workspaceListResponseSchema },
      },
    },
    async ({ userId }) => ({
      ok: true as const,
      workspaces: (await workspaces.listOf(userId)).map(toWorkspace),
    }),
  );

  app.post(
    "/api/workspaces",
    {
      config: { access: "account" },
      schema: {
        tags,
        operationId: "createWorkspace",
        summary: "Create a team workspace",
        description: "You become its owner. Invite others with `POST /api/workspaces/{id}/invitations`.",
        errors: ["limit_reached"],
        body: createWorkspaceSchema,
        response: { 201: workspaceResponseSchema },
      },
    },
    async ({ userId, body }, reply) =>
      reply
        .status(201)
        .send({ ok: true, workspace: toWorkspace(await workspaces.create(userId, body.name)) }),
  );

  app.get(
    "/api/workspaces/:id",
    {
      config: { access: { role: "viewer", scope: "workspace:read", workspace: "path" } },
      schema: {
        tags,
        operationId: "getWorkspace",
        summary: "Read a workspace",
        description: "One of your workspaces, with your role in it.",
        params,
        response: { 200: workspaceResponseSchema },
      },
    },
    async ({ role, params: { id } }) => ({
      ok: true as const,
      workspace: toWorkspace(await workspaces.get(id, role)),
    }),
  );

  app.patch(
    "/api/workspaces/:id",
    {
      config: { access: { role: "admin", scope: "workspace:write", workspace: "path" } },
      schema: {
        tags,
        operationId: "updateWorkspace",
        summary: "Rename a team workspace",
        description: "Its id, its records and their addresses stay the same.",
        errors: ["personal_workspace"],
        params,
        body: updateWorkspaceSchema,
        response: { 200: workspaceResponseSchema },
      },
    },
    async ({ role, params: { id }, body }) => ({
      ok: true as const,
      workspace: toWorkspace(await workspaces.rename(id, role, body.name)),
    }),
  );

  app.delete(
    "/api/workspaces/:id",
    {
      config: { access: { role: "owner", scope: null, workspace: "path" }, audit: { chain: "instance" } },
      schema: {
        tags,
        operationId: "deleteWorkspace",
        summary: "Delete a team workspace with everything in it",
        description:
          "Its members, endpoints, keys and connected apps lose access at once. Workflows, tasks, documents and everything else are deleted in the background. It cannot be undone.",
        errors: ["personal_workspace"],
        params,
        response: { 200: success({}) },
      },
    },
    async ({ params: { id } }) => {
      await workspaces.remove(id);
      return { ok: true as const };
    },
  );
}
