import type { PageQuery } from "../../contract/api.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { Engine } from "../engine/engine-api.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError, notFound } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import type { Page } from "../lib/page.ts";
import type { DeliveryBounds, DeliveryRecord, DeliveryStore } from "./delivery-store.ts";
import type { EndpointStore } from "../endpoints/endpoint.ts";
import type { WebhookStore } from "./webhook-store.ts";

const BOUNDS: DeliveryBounds = { accepted: 1_000, rejected: 100, characters: 32_000_000 };
// Pruning reads up to a thousand index entries; once in so many deliveries it costs nothing.
const PRUNE_EVERY = 32;

export interface DeliveriesDeps {
  store: DeliveryStore;
  webhooks: Pick<WebhookStore, "owned">;
  workflows: Pick<EndpointStore, "runnable">;
  engine: Pick<Engine, "start">;
  clock: Clock;
  bounds?: DeliveryBounds;
  pruneEvery?: number;
}

export type NewDelivery = Omit<DeliveryRecord, "id" | "createdAt" | "redeliveryOf"> & {
  redeliveryOf?: string;
};

export type Deliveries = ReturnType<typeof createDeliveries>;

export function createDeliveries(deps: DeliveriesDeps) {
  const { store, webhooks, workflows, engine, clock, bounds = BOUNDS, pruneEvery = PRUNE_EVERY } = deps;
  const noted = new Map<string, number>();

  async function note(given: NewDelivery): Promise<DeliveryRecord> {
    const now = clock.now();
    const delivery = { redeliveryOf: null, ...given, id: createId("dlv", now), createdAt: now };
    await store.insert(delivery);
    const count = (noted.get(given.webhookId) ?? 0) + 1;
    noted.set(given.webhookId, count % pruneEvery);
    if (count >= pruneEvery) await store.prune(given.webhookId, bounds);
    return delivery;
  }

  return {
    note,

    async list(ownerId: string, webhookId: string, page: PageQuery): Promise<Page<DeliveryRecord>> {
      await webhooks.owned(webhookId, ownerId);
      return store.list(webhookId, page);
    },

    /** A new task with the same input, whatever became of the first one. */
    async redeliver(ownerId: string, webhookId: string, id: string): Promise<DeliveryRecord> {
      const webhook = await webhooks.owned(webhookId, ownerId);
      const earlier = await store.find(webhookId, id);
      if (earlier === undefined) throw notFound("delivery");
      if (earlier.body === null) {
        throw new AppError(
          "delivery_not_kept",
          "This delivery was refused and its body not kept; let the sender send it again.",
        );
      }
      const workflow = await workflows.runnable(webhook.workflowId, ownerId);
      if (workflow === undefined) throw notFound("workflow");
      const { taskId } = await engine.start({
        workflow,
        trigger: "webhook",
        input: JSON.parse(earlier.body) as JsonValue,
      });
      return note({
        webhookId,
        status: "accepted",
        reason: null,
        headers: earlier.headers,
        body: earlier.body,
        taskId,
        redeliveryOf: earlier.id,
      });
    },
  };
}
