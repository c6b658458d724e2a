import type { FastifyRequest } from "fastify";
import * as z from "zod";
import { errorSchema, pageQuerySchema, success } from "../../contract/api.ts";
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
const failures = { "4xx": errorSchema };

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
      schema: {
        tags,
        operationId: "createWebhook",
        summary: "Create a webhook that starts a workflow",
        body: createWebhookSchema,
        response: { 201: webhookSecretResponseSchema, ...failures },
      },
    },
    async (request, reply) =>
      reply.status(201).send(withSecret(request, await webhooks.create(request.userId, request.body))),
  );

  app.get(
    "/api/webhooks",
    {
      schema: {
        tags,
        operationId: "listWebhooks",
        summary: "List webhooks, newest first",
        querystring: pageQuerySchema,
        response: { 200: webhookListResponseSchema, ...failures },
      },
    },
    async (request) => {
      const { items, nextCursor } = await webhooks.list(request.userId, request.query);
      const base = baseUrlOf(request);
      return { ok: true as const, webhooks: items.map((webhook) => toWebhook(webhook, base)), nextCursor };
    },
  );

  app.get(
    "/api/webhooks/:id",
    {
      schema: {
        tags,
        operationId: "getWebhook",
        summary: "Read a webhook",
        params: idParams,
        response: { 200: webhookResponseSchema, ...failures },
      },
    },
    async (request) => ({
      ok: true as const,
      webhook: toWebhook(await webhooks.get(request.userId, request.params.id), baseUrlOf(request)),
    }),
  );

  app.patch(
    "/api/webhooks/:id",
    {
      schema: {
        tags,
        operationId: "updateWebhook",
        summary: "Update a webhook",
        params: idParams,
        body: updateWebhookSchema,
        response: { 200: webhookResponseSchema, ...failures },
      },
    },
    async (request) => {
      const webhook = await webhooks.update(request.userId, request.params.id, request.body);
      return { ok: true as const, webhook: toWebhook(webhook, baseUrlOf(request)) };
    },
  );

  app.delete(
    "/api/webhooks/:id",
    {
      schema: {
        tags,
        operationId: "deleteWebhook",
        summary: "Delete a webhook and its deliveries",
        params: idParams,
        response: { 200: success({}), ...failures },
      },
    },
    async (request) => {
      await webhooks.remove(request.userId, request.params.id);
      return { ok: true as const };
    },
  );

  app.post(
    "/api/webhooks/:id/rotate",
    {
      schema: {
        tags,
        operationId: "rotateWebhookSecret",
        summary: "Rotate the secret; the old one stops working at once",
        params: idParams,
        response: { 200: webhookSecretResponseSchema, ...failures },
      },
    },
    async (request) => withSecret(request, await webhooks.rotate(request.userId, request.params.id)),
  );

  app.get(
    "/api/webhooks/:id/deliveries",
    {
      schema: {
        tags,
        operationId: "listDeliveries",
        summary: "List deliveries, newest first",
        params: idParams,
        querystring: pageQuerySchema,
        response: { 200: deliveryListResponseSchema, ...failures },
      },
    },
    async (request) => {
      const { items, nextCursor } = await deliveries.list(request.userId, request.params.id, request.query);
      return { ok: true as const, deliveries: items.map(toDelivery), nextCursor };
    },
  );

  app.post(
    "/api/webhooks/:id/deliveries/:deliveryId/redeliver",
    {
      schema: {
        tags,
        operationId: "redeliver",
        summary: "Redeliver: start a new task with the input of a delivery",
        params: z.object({ id: z.string(), deliveryId: z.string() }),
        response: { 200: redeliverResponseSchema, ...failures },
      },
    },
    async (request) => {
      const { id, deliveryId } = request.params;
      const delivery = await deliveries.redeliver(request.userId, id, deliveryId);
      return { ok: true as const, taskId: delivery.taskId ?? "", delivery: toDelivery(delivery) };
    },
  );
}
