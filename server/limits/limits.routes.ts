import { limitListResponseSchema } from "../../contract/limits.ts";
import type { HttpServer } from "../http/server.ts";
import type { Limits } from "./limits.ts";

export function limitRoutes(app: HttpServer, limits: Pick<Limits, "usage">): void {
  app.get(
    "/api/limits",
    {
      config: { access: { role: "viewer", scope: "workspace:read" } },
      schema: {
        tags: ["system"],
        operationId: "listLimits",
        summary: "Your use of every limit",
        description: "Each limit with the setting that changes it, its value and what you use of it now.",
        response: { 200: limitListResponseSchema },
      },
    },
    async (request) => ({ ok: true as const, limits: await limits.usage(request.workspaceId) }),
  );
}
