import * as z from "zod";
import { pageQuerySchema, success } from "../../contract/api.ts";
import {
  createTriggerSchema,
  triggerItemListResponseSchema,
  triggerListQuerySchema,
  triggerListResponseSchema,
  triggerResponseSchema,
  triggerSampleResponseSchema,
  updateTriggerSchema,
} from "../../contract/triggers.ts";
import type { HttpServer } from "../http/server.ts";
import { toStoredTrigger, type Triggers } from "./triggers.ts";

const tags = ["triggers"];
const params = z.object({ id: z.string() });

export function triggerRoutes(app: HttpServer, triggers: Triggers): void {
  app.post(
    "/api/triggers",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "createTrigger",
        errors: ["forbidden", "workflow_not_found", "limit_reached"],
        summary: "Create a trigger",
        description:
          "Checks a source and starts the workflow once for each new item. The first check is at once.",
        body: createTriggerSchema,
        response: { 201: triggerResponseSchema },
      },
    },
    async (request, reply) =>
      reply.status(201).send({
        ok: true as const,
        trigger: toStoredTrigger(await triggers.create(request.workspaceId, request.body)),
      }),
  );

  app.get(
    "/api/triggers",
    {
      config: { access: { role: "viewer", scope: "workflows:read" } },
      schema: {
        tags,
        operationId: "listTriggers",
        summary: "List triggers, newest first",
        description: "Each with its next check, the last one and the last error.",
        querystring: triggerListQuerySchema,
        response: { 200: triggerListResponseSchema },
      },
    },
    async (request) => {
      const { items, nextCursor } = await triggers.list(request.workspaceId, request.query);
      return { ok: true as const, triggers: items.map(toStoredTrigger), nextCursor };
    },
  );

  app.get(
    "/api/triggers/:id",
    {
      config: { access: { role: "viewer", scope: "workflows:read" } },
      schema: {
        tags,
        operationId: "getTrigger",
        summary: "Read a trigger",
        description: "With its settings, never with a secret.",
        params,
        response: { 200: triggerResponseSchema },
      },
    },
    async (request) => ({
      ok: true as const,
      trigger: toStoredTrigger(await triggers.get(request.workspaceId, request.params.id)),
    }),
  );

  app.patch(
    "/api/triggers/:id",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "updateTrigger",
        summary: "Update, pause or resume a trigger",
        description:
          "Fields that are absent keep their value. `active: false` pauses it; what arrives meanwhile is found after it is resumed. An active trigger is checked at once, or as soon as the shortest interval has passed.",
        params,
        body: updateTriggerSchema,
        response: { 200: triggerResponseSchema },
      },
    },
    async (request) => ({
      ok: true as const,
      trigger: toStoredTrigger(await triggers.update(request.workspaceId, request.params.id, request.body)),
    }),
  );

  app.delete(
    "/api/triggers/:id",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "deleteTrigger",
        summary: "Delete a trigger",
        description: "Tasks that it started continue.",
        params,
        response: { 200: success({}) },
      },
    },
    async (request) => {
      await triggers.remove(request.workspaceId, request.params.id);
      return { ok: true as const };
    },
  );

  app.get(
    "/api/triggers/:id/items",
    {
      config: { access: { role: "viewer", scope: "workflows:read" } },
      schema: {
        tags,
        operationId: "listTriggerItems",
        summary: "List the items that a trigger found, newest first",
        description: "The last 2,000, each with the task that it started.",
        params,
        querystring: pageQuerySchema,
        response: { 200: triggerItemListResponseSchema },
      },
    },
    async (request) => {
      const { items, nextCursor } = await triggers.listItems(
        request.workspaceId,
        request.params.id,
        request.query,
      );
      return { ok: true as const, items, nextCursor };
    },
  );

  app.post(
    "/api/triggers/:id/test",
    {
      config: { access: { role: "builder", scope: "workflows:write" }, audit: { none: "changes nothing" } },
      schema: {
        tags,
        operationId: "testTrigger",
        summary: "Read the newest item of the source",
        description:
          "Returns the input that its run would have. Starts nothing, and the trigger still finds the item later.",
        errors: ["egress_denied", "fetch_failed", "limit_reached"],
        params,
        response: { 200: triggerSampleResponseSchema },
      },
    },
    async (request) => {
      const item = await triggers.sample(request.workspaceId, request.params.id);
      const sample = item === undefined ? null : { title: item.title, input: item.input };
      return { ok: true as const, sample };
    },
  );
}
