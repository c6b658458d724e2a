import { Counter, type Registry } from "prom-client";

export interface DeliveryMetrics {
  /** One attempt to send a message; "retry" when another one follows. */
  attempted(kind: string, outcome: "delivered" | "retry" | "failed"): void;
  /** A webhook was called. */
  received(status: "accepted" | "rejected"): void;
}

export function createDeliveryMetrics(registry: Registry): DeliveryMetrics {
  const outbox = new Counter({
    name: "baton_outbox_attempts_total",
    help: "Attempts to deliver a message to an address of a user, by kind of message and outcome",
    labelNames: ["kind", "outcome"],
    registers: [registry],
  });
  const webhooks = new Counter({
    name: "baton_webhook_deliveries_total",
    help: "Deliveries that webhooks received, by status",
    labelNames: ["status"],
    registers: [registry],
  });
  return {
    attempted: (kind, outcome) => outbox.inc({ kind, outcome }),
    received: (status) => webhooks.inc({ status }),
  };
}
