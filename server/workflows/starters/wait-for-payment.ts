import type { Starter } from "./starter.ts";

export const waitForPayment: Starter = {
  id: "wait-for-payment",
  name: "Wait for a payment",
  description:
    "Waits up to three days for the event payment.received of an order, then ships it or sends a reminder. Send the event with POST /api/events and the order number as its key.",
  category: "data",
  metadata: {
    inputSchema: {
      type: "object",
      properties: { order: { type: "string", title: "Order number" } },
    },
    steps: [
      {
        stepId: "paid",
        type: "wait_event",
        name: "Wait for payment",
        event: "payment.received",
        key: "{{input.order}}",
        timeoutMs: 259_200_000,
        position: { x: 0, y: 0 },
      },
      {
        stepId: "ship",
        type: "transform",
        name: "Ship",
        template: "Ship {{input.order}}: {{steps.paid.output.data.amount}} received",
        position: { x: 0, y: 140 },
      },
      {
        stepId: "remind",
        type: "transform",
        name: "Remind",
        template: "Order {{input.order}} is not paid yet",
        position: { x: 260, y: 140 },
      },
    ],
    edges: [
      { id: "paid-ship", source: "paid", target: "ship" },
      { id: "paid-remind", source: "paid", target: "remind", condition: "timeout" },
    ],
  },
};
