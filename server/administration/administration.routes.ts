import * as z from "zod";
import {
  setWorkspaceRulesSchema,
  type SetWorkspaceRules,
  type WorkspaceRules,
  workspaceRulesResponseSchema,
} from "../../contract/administration.ts";
import type { HttpServer } from "../http/server.ts";

export interface AdministrationRoutesDeps {
  rules: {
    get(workspaceId: string): Promise<WorkspaceRules>;
    change(workspaceId: string, change: SetWorkspaceRules): Promise<WorkspaceRules>;
  };
}

const params = z.object({ workspaceId: z.string().describe("A workspace of the instance") });

export function administrationRoutes(app: HttpServer, { rules }: AdministrationRoutesDeps): void {
  app.get(
    "/api/admin/workspaces/:workspaceId/rules",
    {
      config: { access: "administrator" },
      schema: {
        tags: ["administration"],
        operationId: "getWorkspaceRules",
        summary: "Limits and retention of a workspace",
        description: "What differs from the settings of the instance. For the administrator.",
        params,
        response: { 200: workspaceRulesResponseSchema },
      },
    },
    async (request) => ({ ok: true as const, rules: await rules.get(request.params.workspaceId) }),
  );

  app.patch(
    "/api/admin/workspaces/:workspaceId/rules",
    {
      config: {
        access: "administrator",
        audit: { alsoIn: ({ params: of }) => (of as { workspaceId: string }).workspaceId },
      },
      schema: {
        tags: ["administration"],
        operationId: "changeWorkspaceRules",
        summary: "Change the limits or the retention of a workspace",
        description:
          "`limits` replaces all limits of the workspace; those that are absent have the values of the instance. New limits hold at once, in every process; the retention from the next sweep on. For the administrator.",
        params,
        body: setWorkspaceRulesSchema,
        response: { 200: workspaceRulesResponseSchema },
      },
    },
    async (request) => ({
      ok: true as const,
      rules: await rules.change(request.params.workspaceId, request.body),
    }),
  );
}
