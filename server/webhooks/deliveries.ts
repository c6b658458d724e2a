import type { PageQuery } from "../../contract/api.ts";
import type { Delivery } from "../../contract/webhooks.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { Engine } from "../engine/engine-api.ts";
import { type Clock, toIso } from "../lib/clock.ts";
import { AppError, notFound } from "../lib/errors.ts";
import { createId } from "../lib/ids.ts";
import type { ResultPage } from "../lib/result-page.ts";
import type { DeliveryBounds, DeliveryRecord, DeliveryStore } from "./delivery.sql.ts";
import type { RunnableWorkflows } from "../workflows/runnable-workflow.sql.ts";
import { workflowPaused } from "../workflows/paused.ts";
import { webhookTrigger } from "./webhook-input.ts";
import type { WebhookStore } from "./webhook.sql.ts";

/** Rejected deliveries never displace accepted ones. */
const BOUNDS: Record<DeliveryRecord["status"], DeliveryBounds> = {
  accepted: { deliveries: 1_000, characters: 32_000_000 },
  rejected: { deliveries: 100, characters: 32_000_000 },
};
// Pruning reads up to 1,000 index entries; once every 128 deliveries that cost is negligible.
const PRUNE_EVERY = 128;
const LONG_BODY = 10_000;

export interface DeliveriesDeps {
  store: DeliveryStore;
  webhooks: Pick<WebhookStore, "get">;
  workflows: Pick<RunnableWorkflows, "findCurrent">;
  engine: Pick<Engine, "start">;
  clock: Clock;
  /** For metrics: a delivery was recorded. */
  onRecorded?(status: DeliveryRecord["status"]): void;
}

export type NewDelivery = Omit<DeliveryRecord, "id" | "createdAt" | "redeliveryOf"> & {
  redeliveryOf?: string;
};

type Stored = Pick<DeliveryRecord, "webhookId" | "status" | "body">;

export type Deliveries = ReturnType<typeof createDeliveries>;

export function createDeliveries(deps: DeliveriesDeps) {
  const { store, webhooks, workflows, engine, clock } = deps;
  /** Deliveries of each webhook since it was last pruned. */
  const recorded = { accepted: new Map<string, number>(), rejected: new Map<string, number>() };

  async function record(given: NewDelivery): Promise<DeliveryRecord> {
    const now = clock.now();
    const delivery = { redeliveryOf: null, ...given, id: createId("dlv", now), createdAt: now };
    await store.insert(delivery);
    await countStored(delivery);
    return delivery;
  }

  /** Counts a stored delivery, a long one as several. Returns a promise when it deletes the oldest ones. */
  function countStored({ webhookId, status, body }: Stored): Promise<void> | undefined {
    deps.onRecorded?.(status);
    const counts = recorded[status];
    const count = (counts.get(webhookId) ?? 0) + 1 + Math.floor((body?.length ?? 0) / LONG_BODY);
    counts.set(webhookId, count >= PRUNE_EVERY ? 0 : count);
    return count >= PRUNE_EVERY ? store.prune({ webhookId, status }, BOUNDS[status]) : undefined;
  }

  return {
    record,

    /** For a delivery that the engine has stored with its task. */
    countStored,

    async list(ownerId: string, webhookId: string, page: PageQuery): Promise<ResultPage<DeliveryRecord>> {
      await webhooks.get(webhookId, ownerId);
      return store.list(webhookId, page);
    },

    /** Starts a new task with the same input, regardless of how the first one ended. */
    async redeliver(ownerId: string, webhookId: string, id: string): Promise<DeliveryRecord> {
      const webhook = await webhooks.get(webhookId, ownerId);
      const earlier = await store.find(webhookId, id);
      if (earlier === undefined) throw notFound("delivery", id);
      if (earlier.body === null) {
        throw new AppError(
          "delivery_not_kept",
          "The body of this delivery was not stored because it was rejected. Ask the sender to send it again.",
        );
      }
      const workflow = await workflows.findCurrent(webhook.workflowId, ownerId);
      if (workflow === undefined) throw notFound("workflow");
      if (!workflow.isActive) throw workflowPaused();
      const request = { method: earlier.method, headers: earlier.headers, query: earlier.query };
      const trigger = webhookTrigger(workflow, request, parseBody(earlier.body));
      const { taskId } = await engine.start({
        workflow,
        trigger: "webhook",
        input: trigger.input,
        request: trigger.request,
      });
      return record({
        webhookId,
        status: "accepted",
        reason: null,
        ...request,
        body: earlier.body,
        taskId,
        redeliveryOf: earlier.id,
      });
    },
  };
}

/** Stored as received: with the byte order mark of a sender. */
function parseBody(body: string): JsonValue {
  return JSON.parse(body.startsWith("\ufeff") ? body.slice(1) : body) as JsonValue;
}

export function toDelivery({ body, createdAt, ...record }: DeliveryRecord): Delivery {
  return { ...record, body: body === null ? null : parseBody(body), createdAt: toIso(createdAt) };
}
