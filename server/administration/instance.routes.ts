import * as z from "zod";
import {
  adminTaskListResponseSchema,
  adminTaskQuerySchema,
  adminWorkspaceListResponseSchema,
  stoppedTasksResponseSchema,
  storageResponseSchema,
} from "../../contract/admin-instance.ts";
import { emptyAsAbsent, pageQuery, pageQuerySchema, success, text } from "../../contract/api.ts";
import type { HttpServer } from "../http/server.ts";
import type { AdminTasks } from "./admin-tasks.ts";
import type { StorageUsageStore } from "./storage-usage.sql.ts";
import type { StorageUsage } from "./storage-usage.ts";
import { patternOf } from "./user.sql.ts";

export interface InstanceRoutesDeps {
  tasks: AdminTasks;
  storage: Pick<StorageUsage, "read">;
  workspaces: Pick<StorageUsageStore, "listWorkspaces">;
}

const tags = ["administration"];
const config = { access: "administrator" } as const;

export function instanceRoutes(app: HttpServer, { tasks, storage, workspaces }: InstanceRoutesDeps): void {
  app.get(
    "/api/admin/workspaces",
    {
      config,
      schema: {
        tags,
        operationId: "listAllWorkspaces",
        summary: "List the workspaces of the instance, newest first",
        description: "Names and numbers of members, not what they contain. For the administrator.",
        querystring: pageQuerySchema.extend({
          search: emptyAsAbsent(text(200)).describe(
            "Part of the name, or of the email address of a personal one",
          ),
        }),
        response: { 200: adminWorkspaceListResponseSchema },
      },
    },
    async ({ query: { search, ...page } }) => {
      const pattern = search === undefined ? null : patternOf(search);
      const { items, nextCursor } = await workspaces.listWorkspaces(pattern, page);
      return { ok: true as const, workspaces: items, nextCursor };
    },
  );

  app.get(
    "/api/admin/tasks",
    {
      config,
      schema: {
        tags,
        operationId: "listAllOpenTasks",
        summary: "List the open runs, sessions and ingestions of all workspaces",
        description:
          "By workspace, newest first. Inputs, outputs, titles of documents and errors are not shown. `status` is `running` and `kind` is `run` by default. For the administrator.",
        querystring: adminTaskQuerySchema,
        response: { 200: adminTaskListResponseSchema },
      },
    },
    async ({ query: { kind, status, ...page } }) => {
      const { items, nextCursor } = await tasks.list(kind, status, page);
      return { ok: true as const, tasks: items, nextCursor };
    },
  );

  app.post(
    "/api/admin/tasks/:taskId/stop",
    {
      config,
      schema: {
        tags,
        operationId: "stopTask",
        summary: "Stop a run, a session or an ingestion of any workspace",
        description:
          "A run or session is cancelled, with the runs that it started. A document that is ingested fails with `ingestion_stopped`. For the administrator.",
        errors: ["task_not_found", "task_finished"],
        params: z.object({ taskId: z.string() }),
        response: { 200: success({}) },
      },
    },
    async (request) => {
      await tasks.stop(request.params.taskId);
      return { ok: true as const };
    },
  );

  app.post(
    "/api/admin/workspaces/:workspaceId/stop",
    {
      config,
      schema: {
        tags,
        operationId: "stopTasksOfWorkspace",
        summary: "Stop all open runs, sessions and ingestions of a workspace",
        description:
          "Everything that runs, is queued or waits is stopped, up to 500 in one request. New ones can start meanwhile; disable the account to prevent that. For the administrator.",
        errors: ["workspace_not_found"],
        params: z.object({ workspaceId: z.string() }),
        response: { 200: stoppedTasksResponseSchema },
      },
    },
    async (request) => ({ ok: true as const, ...(await tasks.stopAll(request.params.workspaceId)) }),
  );

  app.get(
    "/api/admin/storage",
    {
      config,
      schema: {
        tags,
        operationId: "getStorage",
        summary: "What each workspace stores, and the disk",
        description:
          "Workspaces are measured in the background when somebody reads this and the last measurement is older than ten minutes. Runs, files and documents are counted; sizes of runs and results of steps are estimated from a sample of 50 of every 1,000 runs. For the administrator.",
        querystring: pageQuery(/^\d+ \S+$/),
        response: { 200: storageResponseSchema },
      },
    },
    async ({ query }) => ({ ok: true as const, ...(await storage.read(query)) }),
  );
}
