import type { Starter } from "./starter.ts";

export const webhookLog: Starter = {
  id: "webhook-log",
  name: "Webhook to file log",
  description:
    "Keeps every event that another service sends: one line of JSON each, with the time, in webhooks/events.jsonl.",
  category: "webhooks",
  trigger: { kind: "webhook", text: "Another service sends an event" },
  metadata: {
    steps: [
      {
        stepId: "record",
        type: "transform",
        name: "Add the time",
        template: { receivedAt: "{{now}}", task: "{{task.id}}", event: "{{input}}" },
        position: { x: 0, y: 0 },
      },
      {
        stepId: "log",
        type: "file",
        name: "Append to the log",
        action: "append",
        path: "webhooks/events.jsonl",
        content: "{{steps.record.output}}\n",
        position: { x: 0, y: 140 },
      },
    ],
    edges: [{ id: "record-log", source: "record", target: "log" }],
  },
};
