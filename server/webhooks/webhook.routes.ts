import type { FastifyRequest } from "fastify";
import * as z from "zod";
import { pageQuerySchema, success } from "../../contract/api.ts";
import {
  createWebhookSchema,
  deliveryListResponseSchema,
  redeliverResponseSchema,
  updateWebhookSchema,
  webhookResponseSchema,
  webhookListResponseSchema,
  webhookSecretResponseSchema,
} from "../../contract/webhooks.ts";
import { type Deliveries, toDelivery } from "./deliveries.ts";
import { toWebhook, type Webhooks, type WithSecret } from "./webhooks.ts";
import type { HttpServer } from "../http/server.ts";

const tags = ["webhooks"];
const idParams = z.object({ id: z.string() });

export interface WebhookRoutesDeps {
  webhooks: Webhooks;
  deliveries: Deliveries;
  /** Public base URL; defaults to the host of the request. */
  publicUrl: string | undefined;
}

export function webhookRoutes(app: HttpServer, { webhooks, deliveries, publicUrl }: WebhookRoutesDeps): void {
  const baseUrlOf = (request: FastifyRequest) => publicUrl ?? `${request.protocol}://${request.host}`;
  const withSecret = (request: FastifyRequest, { webhook, secret }: WithSecret) => ({
    ok: true as const,
    webhook: { ...toWebhook(webhook, baseUrlOf(request)), secret },
  });

  app.post(
    "/api/webhooks",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "createWebhook",
        summary: "Create a webhook that starts a workflow",
        description:
          "`webhook.url` is the address for the sender and `webhook.secret` its secret, which is shown only here and after a rotation.",
        errors: ["forbidden", "source_taken", "workflow_not_found"],
        body: createWebhookSchema,
        response: { 201: webhookSecretResponseSchema },
      },
    },
    async (request, reply) =>
      reply.status(201).send(withSecret(request, await webhooks.create(request.workspaceId, request.body))),
  );

  app.get(
    "/api/webhooks",
    {
      config: { access: { role: "viewer", scope: "workflows:read" } },
      schema: {
        tags,
        operationId: "listWebhooks",
        summary: "List webhooks, newest first",
        description: "Without their secrets.",
        querystring: pageQuerySchema,
        response: { 200: webhookListResponseSchema },
      },
    },
    async (request) => {
      const { items, nextCursor } = await webhooks.list(request.workspaceId, request.query);
      const base = baseUrlOf(request);
      return { ok: true as const, webhooks: items.map((webhook) => toWebhook(webhook, base)), nextCursor };
    },
  );

  app.get(
    "/api/webhooks/:id",
    {
      config: { access: { role: "viewer", scope: "workflows:read" } },
      schema: {
        tags,
        operationId: "getWebhook",
        summary: "Read a webhook",
        description: "Without its secret.",
        params: idParams,
        response: { 200: webhookResponseSchema },
      },
    },
    async (request) => ({
      ok: true as const,
      webhook: toWebhook(await webhooks.get(request.workspaceId, request.params.id), baseUrlOf(request)),
    }),
  );

  app.patch(
    "/api/webhooks/:id",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "updateWebhook",
        summary: "Update a webhook",
        description: "Fields that are absent keep their value. `active: false` refuses calls.",
        errors: ["source_taken"],
        params: idParams,
        body: updateWebhookSchema,
        response: { 200: webhookResponseSchema },
      },
    },
    async (request) => {
      const webhook = await webhooks.update(request.workspaceId, request.params.id, request.body);
      return { ok: true as const, webhook: toWebhook(webhook, baseUrlOf(request)) };
    },
  );

  app.delete(
    "/api/webhooks/:id",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "deleteWebhook",
        summary: "Delete a webhook and its deliveries",
        description: "Its address starts nothing any more. Tasks that it started continue.",
        params: idParams,
        response: { 200: success({}) },
      },
    },
    async (request) => {
      await webhooks.remove(request.workspaceId, request.params.id);
      return { ok: true as const };
    },
  );

  app.post(
    "/api/webhooks/:id/rotate",
    {
      config: { access: { role: "builder", scope: "workflows:write" } },
      schema: {
        tags,
        operationId: "rotateWebhookSecret",
        summary: "Rotate the secret; the old one stops working at once",
        description: "The new secret is shown only here.",
        params: idParams,
        response: { 200: webhookSecretResponseSchema },
      },
    },
    async (request) => withSecret(request, await webhooks.rotate(request.workspaceId, request.params.id)),
  );

  app.get(
    "/api/webhooks/:id/deliveries",
    {
      config: { access: { role: "viewer", scope: "runs:read" } },
      schema: {
        tags,
        operationId: "listDeliveries",
        summary: "List deliveries, newest first",
        description: "The requests that arrived, refused ones included, with credentials redacted.",
        params: idParams,
        querystring: pageQuerySchema,
        response: { 200: deliveryListResponseSchema },
      },
    },
    async (request) => {
      const { items, nextCursor } = await deliveries.list(
        request.workspaceId,
        request.params.id,
        request.query,
      );
      return { ok: true as const, deliveries: items.map(toDelivery), nextCursor };
    },
  );

  app.post(
    "/api/webhooks/:id/deliveries/:deliveryId/redeliver",
    {
      config: { access: { role: "operator", scope: "runs:write" } },
      schema: {
        tags,
        operationId: "redeliver",
        summary: "Redeliver: start a new task with the input of a delivery",
        description:
          "The workflow runs again on its current version. The new delivery names this one as `redeliveryOf`.",
        errors: ["delivery_not_kept", "workflow_paused", "limit_reached"],
        params: z.object({ id: z.string(), deliveryId: z.string() }),
        response: { 200: redeliverResponseSchema },
      },
    },
    async (request) => {
      const { id, deliveryId } = request.params;
      const delivery = await deliveries.redeliver(request.workspaceId, id, deliveryId);
      return { ok: true as const, taskId: delivery.taskId ?? "", delivery: toDelivery(delivery) };
    },
  );
}
