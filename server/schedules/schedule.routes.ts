import * as z from "zod";
import { pageQuerySchema, success } from "../../contract/api.ts";
import {
  createScheduleSchema,
  nextTimesQuerySchema,
  nextTimesResponseSchema,
  scheduleResponseSchema,
  scheduleListResponseSchema,
  updateScheduleSchema,
} from "../../contract/schedules.ts";
import { toIso } from "../lib/clock.ts";
import { type Schedules, toSchedule } from "./schedules.ts";
import type { HttpServer } from "../http/server.ts";

const tags = ["schedules"];
const params = z.object({ id: z.string() });

export function scheduleRoutes(app: HttpServer, schedules: Schedules): void {
  app.post(
    "/api/schedules",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "createSchedule",
        errors: ["forbidden", "workflow_not_found"],
        summary: "Create a schedule",
        description: "Starts the workflow at the times of a cron pattern in a time zone.",
        body: createScheduleSchema,
        response: { 201: scheduleResponseSchema },
      },
    },
    async (request, reply) =>
      reply.status(201).send({
        ok: true as const,
        schedule: toSchedule(await schedules.create(request.workspaceId, request.body)),
      }),
  );

  app.get(
    "/api/schedules",
    {
      config: { access: { role: "viewer", scope: "workflows:read" } },
      schema: {
        tags,
        operationId: "listSchedules",
        summary: "List schedules, newest first",
        description: "Each with its next and last run.",
        querystring: pageQuerySchema,
        response: { 200: scheduleListResponseSchema },
      },
    },
    async (request) => {
      const { items, nextCursor } = await schedules.list(request.workspaceId, request.query);
      return { ok: true as const, schedules: items.map(toSchedule), nextCursor };
    },
  );

  app.get(
    "/api/schedules/next",
    {
      config: { access: { role: "viewer", scope: "workflows:read" } },
      schema: {
        tags,
        operationId: "previewSchedule",
        summary: "Preview the next times of a cron pattern",
        description:
          "Up to five times, in UTC. An invalid pattern or time zone is a 400 that says what is wrong.",
        querystring: nextTimesQuerySchema,
        response: { 200: nextTimesResponseSchema },
      },
    },
    async (request) => {
      const { cron, timezone } = request.query;
      return { ok: true as const, times: schedules.nextTimes(cron, timezone).map(toIso) };
    },
  );

  app.get(
    "/api/schedules/:id",
    {
      config: { access: { role: "viewer", scope: "workflows:read" } },
      schema: {
        tags,
        operationId: "getSchedule",
        summary: "Read a schedule",
        description: "With its next run and the last one, or the reason why it was not started.",
        params,
        response: { 200: scheduleResponseSchema },
      },
    },
    async (request) => ({
      ok: true as const,
      schedule: toSchedule(await schedules.get(request.workspaceId, request.params.id)),
    }),
  );

  app.patch(
    "/api/schedules/:id",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "updateSchedule",
        summary: "Update, pause or resume a schedule",
        description: "Fields that are absent keep their value. `active: false` pauses it.",
        params,
        body: updateScheduleSchema,
        response: { 200: scheduleResponseSchema },
      },
    },
    async (request) => ({
      ok: true as const,
      schedule: toSchedule(await schedules.update(request.workspaceId, request.params.id, request.body)),
    }),
  );

  app.delete(
    "/api/schedules/:id",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "deleteSchedule",
        summary: "Delete a schedule",
        description: "Tasks that it started continue.",
        params,
        response: { 200: success({}) },
      },
    },
    async (request) => {
      await schedules.remove(request.workspaceId, request.params.id);
      return { ok: true as const };
    },
  );
}
