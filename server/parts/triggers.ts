import type { Engine } from "../engine/engine-api.ts";
import { parseJsonBytes } from "../http/json-body.ts";
import { keyRoutes } from "../http/key-routes.ts";
import { publicRoutes } from "../http/public-routes.ts";
import { webhookIntakeRoutes } from "../http/webhook-intake-routes.ts";
import { webhookRoutes } from "../http/webhook-routes.ts";
import { createDeliveryStore } from "../storage/delivery-store.ts";
import { createKeyStore } from "../storage/key-store.ts";
import { createWebhookStore } from "../storage/webhook-store.ts";
import { createApiKeys } from "../triggers/api-keys.ts";
import { createDeliveries } from "../triggers/deliveries.ts";
import { createPublicCalls } from "../triggers/public-calls.ts";
import { createAdmission } from "../triggers/webhook-admission.ts";
import { createWebhookIntake } from "../triggers/webhook-intake.ts";
import { createWebhooks } from "../triggers/webhooks.ts";
import type { Ground, Part } from "./part.ts";
import type { WorkflowsPart } from "./workflows.ts";

/** The ways in from outside: API keys, public endpoints, webhooks with their deliveries. */
export function createTriggersPart(
  { config, clock, db, box, limiter, report }: Ground,
  { workflows, endpoints }: WorkflowsPart,
  engine: Engine,
): Part {
  const keys = createApiKeys({
    store: createKeyStore(db),
    clock,
    onFlushError: (error) => report(error, "noting the last use of keys"),
  });
  const calls = createPublicCalls({ store: endpoints, keys, engine, syncTimeoutMs: config.syncTimeoutMs });
  const store = createWebhookStore(db);
  const webhooks = createWebhooks({ store, box, clock, requireWorkflow: workflows.get });
  const deliveries = createDeliveries({
    store: createDeliveryStore(db),
    webhooks: store,
    workflows: endpoints,
    engine,
    clock,
  });
  const intake = createWebhookIntake({
    admission: createAdmission({ store, box }),
    workflows: endpoints,
    engine,
    deliveries,
    parseJson: parseJsonBytes,
    clock,
    onNoteError: (error) => report(error, "noting a delivery"),
  });
  return {
    routes(http) {
      keyRoutes(http, keys);
      publicRoutes(http, calls);
      webhookRoutes(http, { webhooks, deliveries, publicUrl: config.publicUrl });
      webhookIntakeRoutes(http, {
        intake,
        limiter: limiter("webhook", config.limits.webhookPerMinute),
        bodyLimitBytes: config.limits.webhookBodyBytes,
      });
    },
    close: () => keys.close(),
  };
}
