import type { Engine } from "../engine/engine-api.ts";
import { parseJsonBytes } from "../http/json-body.ts";
import { keyRoutes } from "../endpoints/api-key.routes.ts";
import { publicRoutes } from "../endpoints/endpoint.routes.ts";
import { webhookIntakeRoutes } from "./webhook-intake.routes.ts";
import { webhookRoutes } from "./webhook.routes.ts";
import { createDeliveryStore } from "./delivery.sql.ts";
import { createKeyStore } from "../endpoints/api-key.sql.ts";
import { createWebhookStore } from "./webhook.sql.ts";
import { createApiKeys } from "../endpoints/api-keys.ts";
import { createDeliveries } from "./deliveries.ts";
import { createPublicCalls } from "../endpoints/public-calls.ts";
import { createAdmission } from "./webhook-admission.ts";
import { createWebhookIntake } from "./webhook-intake.ts";
import { createWebhooks } from "./webhooks.ts";
import type { Platform, Part } from "../platform/part.ts";
import type { WorkflowsPart } from "../workflows/part.ts";

/** The ways in from outside: API keys, public endpoints, webhooks with their deliveries. */
export function createTriggersPart(
  { config, clock, db, box, limiter, report }: Platform,
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
