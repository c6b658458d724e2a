import * as z from "zod";
import { errorSchema, pageQuerySchema, success } from "../../contract/api.ts";
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
const failures = { "4xx": errorSchema };

export function scheduleRoutes(app: HttpServer, schedules: Schedules): void {
  app.post(
    "/api/schedules",
    {
      schema: {
        tags,
        operationId: "createSchedule",
        summary: "Create a schedule",
        body: createScheduleSchema,
        response: { 201: scheduleResponseSchema, ...failures },
      },
    },
    async (request, reply) =>
      reply.status(201).send({
        ok: true as const,
        schedule: toSchedule(await schedules.create(request.userId, request.body)),
      }),
  );

  app.get(
    "/api/schedules",
    {
      schema: {
        tags,
        operationId: "listSchedules",
        summary: "List schedules, newest first",
        querystring: pageQuerySchema,
        response: { 200: scheduleListResponseSchema, ...failures },
      },
    },
    async (request) => {
      const { items, nextCursor } = await schedules.list(request.userId, request.query);
      return { ok: true as const, schedules: items.map(toSchedule), nextCursor };
    },
  );

  app.get(
    "/api/schedules/next",
    {
      schema: {
        tags,
        operationId: "previewSchedule",
        summary: "Preview the next times of a cron pattern",
        querystring: nextTimesQuerySchema,
        response: { 200: nextTimesResponseSchema, ...failures },
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
      schema: {
        tags,
        operationId: "getSchedule",
        summary: "Read a schedule",
        params,
        response: { 200: scheduleResponseSchema, ...failures },
      },
    },
    async (request) => ({
      ok: true as const,
      schedule: toSchedule(await schedules.get(request.userId, request.params.id)),
    }),
  );

  app.patch(
    "/api/schedules/:id",
    {
      schema: {
        tags,
        operationId: "updateSchedule",
        summary: "Update, pause or resume a schedule",
        params,
        body: updateScheduleSchema,
        response: { 200: scheduleResponseSchema, ...failures },
      },
    },
    async (request) => ({
      ok: true as const,
      schedule: toSchedule(await schedules.update(request.userId, request.params.id, request.body)),
    }),
  );

  app.delete(
    "/api/schedules/:id",
    {
      schema: {
        tags,
        operationId: "deleteSchedule",
        summary: "Delete a schedule",
        params,
        response: { 200: success({}), ...failures },
      },
    },
    async (request) => {
      await schedules.remove(request.userId, request.params.id);
      return { ok: true as const };
    },
  );
}
