import type { Starter } from "./starter.ts";

export const orderSummary: Starter = {
  id: "order-summary",
  name: "Summarize orders by customer",
  description:
    "Drops cancelled orders, adds up the rest by customer and returns the best three. Without orders it uses a small example.",
  category: "data",
  metadata: {
    inputSchema: {
      type: "object",
      properties: {
        orders: {
          type: "array",
          title: "Orders",
          description: "With customer, total and status",
          items: {
            type: "object",
            properties: {
              customer: { type: "string" },
              total: { type: "number" },
              status: { type: "string" },
            },
          },
        },
      },
    },
    steps: [
      {
        stepId: "orders",
        type: "transform",
        name: "Take the orders",
        expression:
          'input.orders ? input.orders : [{"customer": "Ada", "total": 30, "status": "paid"}, {"customer": "Ben", "total": 5, "status": "cancelled"}, {"customer": "Ben", "total": 12, "status": "paid"}, {"customer": "Ada", "total": 8, "status": "paid"}]',
        position: { x: 0, y: 0 },
      },
      {
        stepId: "valid",
        type: "data",
        name: "Drop cancelled orders",
        operation: "filter",
        items: "{{steps.orders.output}}",
        field: "status",
        operator: "ne",
        value: "cancelled",
        position: { x: 0, y: 140 },
      },
      {
        stepId: "by-customer",
        type: "data",
        name: "Add up by customer",
        operation: "group",
        items: "{{steps.valid.output}}",
        by: ["customer"],
        aggregates: { orders: "count", total: "sum(total)" },
        position: { x: 0, y: 280 },
      },
      {
        stepId: "sorted",
        type: "data",
        name: "Largest first",
        operation: "sort",
        items: "{{steps.by-customer.output}}",
        by: ["-total"],
        position: { x: 0, y: 420 },
      },
      {
        stepId: "best",
        type: "data",
        name: "Best three",
        operation: "limit",
        items: "{{steps.sorted.output}}",
        count: 3,
        position: { x: 0, y: 560 },
      },
    ],
    edges: [
      { id: "orders-valid", source: "orders", target: "valid" },
      { id: "valid-by-customer", source: "valid", target: "by-customer" },
      { id: "by-customer-sorted", source: "by-customer", target: "sorted" },
      { id: "sorted-best", source: "sorted", target: "best" },
    ],
  },
};
