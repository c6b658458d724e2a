import { includesRole, type Role } from "../../contract/roles.ts";
import { searchQuerySchema, searchResponseSchema, type SearchType } from "../../contract/search.ts";
import type { HttpServer } from "../http/server.ts";
import type { Search } from "./search.ts";

/** A role that may not list connections does not find them. */
function maySee(role: Role, type: SearchType): boolean {
  return type !== "connection" || includesRole(role, "builder");
}

export function searchRoutes(app: HttpServer, search: Search): void {
  app.get(
    "/api/search",
    {
      config: { access: { role: "viewer", scope: null } },
      schema: {
        tags: ["search"],
        operationId: "search",
        summary: "Search workflows, runs, documents, agents, teams and connections",
        description:
          "Best results first: names before folders, tags, steps and descriptions, then passages of documents, error messages and inputs of runs. Errors of the newest 1,000 failed runs and inputs of the newest 500 runs are searched, up to 1,000 characters each.",
        querystring: searchQuerySchema,
        response: { 200: searchResponseSchema },
      },
    },
    async ({ workspaceId, role, query }) => ({
      ok: true as const,
      results: await search(workspaceId, {
        ...query,
        types: query.types.filter((type) => maySee(role, type)),
      }),
    }),
  );
}
