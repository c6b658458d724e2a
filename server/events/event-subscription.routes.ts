import * as z from "zod";
import { pageQuerySchema, success } from "../../contract/api.ts";
import {
  createEventSubscriptionSchema,
  eventDeliveryListResponseSchema,
  eventDeliveryResponseSchema,
  eventSubscriptionListResponseSchema,
  eventSubscriptionResponseSchema,
  eventSubscriptionSecretResponseSchema,
  updateEventSubscriptionSchema,
} from "../../contract/events.ts";
import type { HttpServer } from "../http/server.ts";
import {
  type EventSubscriptions,
  toDelivery,
  toSubscription,
  type WithSecret,
} from "./event-subscriptions.ts";

const tags = ["events"];
const params = z.object({ id: z.string() });

const withSecret = ({ subscription, secret }: WithSecret) => ({
  ok: true as const,
  subscription: { ...toSubscription(subscription), secret },
});

export function eventSubscriptionRoutes(app: HttpServer, subscriptions: EventSubscriptions): void {
  app.post(
    "/api/event-subscriptions",
    {
      config: { access: { role: "admin", scope: "workspace:write" } },
      schema: {
        tags,
        operationId: "createEventSubscription",
        summary: "Subscribe an address to events of runs and approvals",
        description:
          "Each event is a CloudEvent in structured mode, signed by Standard Webhooks with the returned secret and retried for about three days. A workspace has at most 20 subscriptions.",
        body: createEventSubscriptionSchema,
        response: { 201: eventSubscriptionSecretResponseSchema },
      },
    },
    async (request, reply) =>
      reply.status(201).send(withSecret(await subscriptions.create(request.workspaceId, request.body))),
  );

  app.get(
    "/api/event-subscriptions",
    {
      config: { access: { role: "admin", scope: "workspace:read" } },
      schema: {
        tags,
        operationId: "listEventSubscriptions",
        summary: "List event subscriptions, newest first",
        description: "Without their secrets.",
        querystring: pageQuerySchema,
        response: { 200: eventSubscriptionListResponseSchema },
      },
    },
    async (request) => {
      const { items, nextCursor } = await subscriptions.list(request.workspaceId, request.query);
      return { ok: true as const, subscriptions: items.map(toSubscription), nextCursor };
    },
  );

  app.get(
    "/api/event-subscriptions/:id",
    {
      config: { access: { role: "admin", scope: "workspace:read" } },
      schema: {
        tags,
        operationId: "getEventSubscription",
        summary: "Read an event subscription",
        description: "Without its secret.",
        params,
        response: { 200: eventSubscriptionResponseSchema },
      },
    },
    async (request) => ({
      ok: true as const,
      subscription: toSubscription(await subscriptions.get(request.workspaceId, request.params.id)),
    }),
  );

  app.patch(
    "/api/event-subscriptions/:id",
    {
      config: { access: { role: "admin", scope: "workspace:write" } },
      schema: {
        tags,
        operationId: "updateEventSubscription",
        summary: "Change an event subscription, or switch it on or off",
        description:
          "Messages that are pending when the subscription is switched off fail; they can be sent again.",
        params,
        body: updateEventSubscriptionSchema,
        response: { 200: eventSubscriptionResponseSchema },
      },
    },
    async (request) => ({
      ok: true as const,
      subscription: toSubscription(
        await subscriptions.update(request.workspaceId, request.params.id, request.body),
      ),
    }),
  );

  app.delete(
    "/api/event-subscriptions/:id",
    {
      config: { access: { role: "admin", scope: "workspace:write" } },
      schema: {
        tags,
        operationId: "deleteEventSubscription",
        summary: "Delete an event subscription and its deliveries",
        description: "Messages that are pending are not sent any more.",
        params,
        response: { 200: success({}) },
      },
    },
    async (request) => {
      await subscriptions.remove(request.workspaceId, request.params.id);
      return { ok: true as const };
    },
  );

  app.post(
    "/api/event-subscriptions/:id/rotate",
    {
      config: { access: { role: "admin", scope: "workspace:write" } },
      schema: {
        tags,
        operationId: "rotateEventSubscriptionSecret",
        summary: "Replace the signing secret",
        description: "For 24 hours every message is signed with both secrets.",
        params,
        response: { 200: eventSubscriptionSecretResponseSchema },
      },
    },
    async (request) => withSecret(await subscriptions.rotate(request.workspaceId, request.params.id)),
  );

  app.post(
    "/api/event-subscriptions/:id/test",
    {
      config: { access: { role: "admin", scope: "workspace:write" } },
      schema: {
        tags,
        operationId: "testEventSubscription",
        summary: "Send a test event",
        description: "The event has the type `baton.test`. The list of deliveries shows the response.",
        params,
        response: { 200: success({}) },
      },
    },
    async (request) => {
      await subscriptions.test(request.workspaceId, request.params.id);
      return { ok: true as const };
    },
  );

  app.get(
    "/api/event-subscriptions/:id/deliveries",
    {
      config: { access: { role: "admin", scope: "workspace:read" } },
      schema: {
        tags,
        operationId: "listEventDeliveries",
        summary: "List deliveries, newest first",
        description: "Each message with its attempts and the last response of the address.",
        params,
        querystring: pageQuerySchema,
        response: { 200: eventDeliveryListResponseSchema },
      },
    },
    async (request) => {
      const { id } = request.params;
      const { items, nextCursor } = await subscriptions.listDeliveries(
        request.workspaceId,
        id,
        request.query,
      );
      return { ok: true as const, deliveries: items.map(toDelivery), nextCursor };
    },
  );

  app.post(
    "/api/event-subscriptions/:id/deliveries/:deliveryId/resend",
    {
      config: { access: { role: "admin", scope: "workspace:write" } },
      schema: {
        tags,
        operationId: "resendEventDelivery",
        summary: "Resend a delivery with the same `webhook-id`",
        description: "The receiver recognizes it by its `webhook-id`, which stays the same.",
        params: z.object({ id: z.string(), deliveryId: z.string() }),
        response: { 200: eventDeliveryResponseSchema },
      },
    },
    async (request) => {
      const { id, deliveryId } = request.params;
      const delivery = await subscriptions.resend(request.workspaceId, id, deliveryId);
      return { ok: true as const, delivery: toDelivery(delivery) };
    },
  );
}
