import {
  failuresQuerySchema,
  failuresResponseSchema,
  recentRunsResponseSchema,
  statsQuerySchema,
  statsResponseSchema,
} from "../../contract/stats.ts";
import type { HttpServer } from "../http/server.ts";
import type { StepTitles } from "../workflows/step-titles.ts";
import type { StatsService } from "./stats.ts";

const tags = ["stats"];

export function statsRoutes(app: HttpServer, stats: StatsService, withStepTitles: StepTitles): void {
  app.get(
    "/api/stats",
    {
      config: { access: { role: "viewer", scope: "runs:read" } },
      schema: {
        tags,
        operationId: "getStats",
        summary: "Read the volume, success rate and durations of runs",
        description:
          "Compared with the range before. `24h` has buckets of an hour, `7d` of six hours, `30d` of a day.",
        querystring: statsQuerySchema,
        response: { 200: statsResponseSchema },
      },
    },
    async (request) => ({ ok: true as const, stats: await stats.read(request.workspaceId, request.query) }),
  );

  app.get(
    "/api/stats/failures",
    {
      config: { access: { role: "viewer", scope: "runs:read" } },
      schema: {
        tags,
        operationId: "listFailures",
        summary: "List failed runs grouped by error",
        description:
          "A group has the same workflow, step and code, and the same message apart from quoted text, ids and numbers.",
        querystring: failuresQuerySchema,
        response: { 200: failuresResponseSchema },
      },
    },
    async (request) => {
      const { failures, complete } = await stats.listFailures(request.workspaceId, request.query);
      const titled = await withStepTitles(failures);
      return {
        ok: true as const,
        failures: titled.map(({ workflowVersion: _workflowVersion, ...group }) => group),
        complete,
      };
    },
  );

  app.get(
    "/api/stats/workflows",
    {
      config: { access: { role: "viewer", scope: "runs:read" } },
      schema: {
        tags,
        operationId: "listRecentRuns",
        summary: "List the last 20 runs of each workflow",
        description: "Newest first within each workflow, with status and duration.",
        response: { 200: recentRunsResponseSchema },
      },
    },
    async (request) => ({ ok: true as const, workflows: await stats.listRecentRuns(request.workspaceId) }),
  );
}
