import { pageQuerySchema } from "../../contract/api.ts";
import {
  bulkTasksResponseSchema,
  bulkTasksSchema,
  taskCountsResponseSchema,
  taskFilterSchema,
} from "../../contract/task-list.ts";
import { taskListResponseSchema } from "../../contract/tasks.ts";
import { createBulk } from "./bulk.ts";
import { viewSummary } from "./task-view.ts";
import type { Tasks } from "./tasks.ts";
import type { HttpServer } from "../http/server.ts";

const tags = ["tasks"];

export function taskListRoutes(app: HttpServer, tasks: Tasks): void {
  const bulk = createBulk(tasks);

  app.get(
    "/api/tasks",
    {
      config: { access: { role: "viewer", scope: "runs:read" } },
      schema: {
        tags,
        operationId: "listTasks",
        summary: "List tasks, newest first",
        description:
          "A page may be short, or empty, while `nextCursor` is not null: a filter that few tasks match is searched in parts.",
        querystring: pageQuerySchema.extend(taskFilterSchema.shape),
        response: { 200: taskListResponseSchema },
      },
    },
    async (request) => {
      const { items, nextCursor } = await tasks.list(request.workspaceId, request.query);
      return { ok: true as const, tasks: items.map(viewSummary), nextCursor };
    },
  );

  app.get(
    "/api/tasks/counts",
    {
      config: { access: { role: "viewer", scope: "runs:read" } },
      schema: {
        tags,
        operationId: "countTasks",
        summary: "Count tasks by status",
        description:
          "Counts up to 1,000 of each status among the tasks that match; the status of the filter is ignored.",
        querystring: taskFilterSchema,
        response: { 200: taskCountsResponseSchema },
      },
    },
    async (request) => ({ ok: true as const, ...(await tasks.count(request.workspaceId, request.query)) }),
  );

  app.post(
    "/api/tasks/bulk",
    {
      config: { access: { role: "operator", scope: "runs:write" } },
      schema: {
        tags,
        operationId: "changeTasks",
        summary: "Cancel or rerun up to 500 tasks",
        description: "Each task has its own result; one that cannot be changed does not stop the others.",
        body: bulkTasksSchema,
        bodyExample: { action: "rerun", filter: { status: "failed" } },
        response: { 200: bulkTasksResponseSchema },
      },
    },
    async (request) => ({ ok: true as const, ...(await bulk(request.workspaceId, request.body)) }),
  );
}
