import type { Engine } from "../engine/engine-api.ts";
import { parseAnyJsonBytes } from "../http/json-body.ts";
import type { Part, Platform } from "../platform/part.ts";
import type { RunFiles } from "../run-files/run-files.ts";
import type { WorkflowsPart } from "../workflows/part.ts";
import { createDeliveries } from "./deliveries.ts";
import { createDeliveryStore } from "./delivery.sql.ts";
import { createRefusals } from "./refusals.ts";
import { createWebhookAuthorization } from "./webhook-authorization.ts";
import { webhookIntakeRoutes } from "./webhook-intake.routes.ts";
import { createWebhookIntake } from "./webhook-intake.ts";
import { webhookRoutes } from "./webhook.routes.ts";
import { createWebhookStore } from "./webhook.sql.ts";
import { createWebhooks } from "./webhooks.ts";

const BATCH_SIZE = 50;

/** Webhooks, their deliveries, and the public route that receives calls. */
export function createWebhooksPart(
  { config, clock, db, box, limiter, metrics, report }: Platform,
  { workflows, runnable }: WorkflowsPart,
  engine: Engine,
  runFiles: RunFiles,
): Part {
  const store = createWebhookStore(db, runnable);
  const webhooks = createWebhooks({ store, box, clock, requireWorkflow: workflows.get });
  const deliveryStore = createDeliveryStore(db);
  const deliveries = createDeliveries({
    store: deliveryStore,
    webhooks: store,
    workflows: runnable,
    engine,
    clock,
    onRecorded: metrics.deliveries.received,
  });
  const onRecordError = (error: unknown): void => report(error, "recording a webhook delivery");
  const refusals = createRefusals({ store, deliveries, clock, onError: onRecordError });
  const intake = createWebhookIntake({
    authorization: createWebhookAuthorization({ store, box }),
    workflows: runnable,
    engine,
    deliveries,
    refusals,
    runFiles,
    parseJson: parseAnyJsonBytes,
    clock,
    onRecordError,
  });
  return {
    async stopOwner(ownerId, batches) {
      for (;;) {
        const { items } = await webhooks.list(ownerId, { limit: BATCH_SIZE });
        for (const { id } of items) {
          await batches.deleteAll((limit) => deliveryStore.removeSome(id, limit));
          // Its source stays reserved.
          await batches.run(() => webhooks.remove(ownerId, id));
        }
        if (items.length === 0) return;
      }
    },
    routes(http) {
      webhookRoutes(http, { webhooks, deliveries, publicUrl: config.publicUrl });
      webhookIntakeRoutes(http, {
        intake,
        refusals,
        limiter: limiter("webhook", config.limits.webhookPerMinute),
        bodyLimitBytes: config.limits.webhookBodyBytes,
        publicUrl: config.publicUrl,
        settled: (taskId) => engine.settled(taskId, config.syncTimeoutMs, { asStored: true }),
      });
    },
  };
}
