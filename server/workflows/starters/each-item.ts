import type { Starter } from "./starter.ts";

export const eachItem: Starter = {
  id: "each-item",
  name: "Work through a list",
  description:
    "Does the same for every item of a list, several at a time, and adds up the results in order. Without a list it uses a small example.",
  category: "data",
  metadata: {
    inputSchema: {
      type: "object",
      properties: {
        items: {
          type: "array",
          title: "Items",
          description: "With name, price and count",
          items: {
            type: "object",
            properties: { name: { type: "string" }, price: { type: "number" }, count: { type: "number" } },
          },
        },
      },
    },
    steps: [
      {
        stepId: "order",
        type: "transform",
        name: "Take the list",
        expression:
          '{"items": input.items ? input.items : [{"name": "Pencil", "price": 1.5, "count": 4}, {"name": "Paper", "price": 5, "count": 2}]}',
        position: { x: 0, y: 0 },
      },
      {
        stepId: "lines",
        type: "foreach",
        name: "Price each item",
        items: "{{steps.order.output.items}}",
        concurrency: 5,
        steps: [
          {
            stepId: "line",
            type: "transform",
            expression: '{"name": item.name, "total": item.price * item.count}',
          },
        ],
        position: { x: 0, y: 140 },
      },
      {
        stepId: "sum",
        type: "transform",
        name: "Add up",
        expression: '{"lines": steps.lines.output, "total": $sum(steps.lines.output.total)}',
        position: { x: 0, y: 280 },
      },
    ],
    edges: [
      { id: "order-lines", source: "order", target: "lines" },
      { id: "lines-sum", source: "lines", target: "sum" },
    ],
  },
};
